/** How much of a template, or of an environment, is read at all. */
export interface TextLimits {
  /** Of the text in UTF-8, and of all texts in it once every alias stands for what it names. */
  readonly maxBytes: number;
  /** Values, those that aliases stand for counted at each alias. */
  readonly maxNodes: number;
  /** Lists and maps within each other. */
  readonly maxDepth: number;
  readonly maxAliases: number;
}
