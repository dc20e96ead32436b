/**
 * Counts the content of a text while it is read, and stops at a limit.
 *
 * Always holds: an alias counts as its content, so that a few lines cannot expand beyond memory.
 */
import { TemplateSyntaxError } from '../template.errors.js';

export class TextBudget {
  private nodes = 0;
  private bytes = 0;
  private aliases = 0;

  constructor(
    private readonly limits: TextLimits,
    private readonly what: string,
  ) {}

  /** The counts so far, whose difference is the content between two points. */
  get spent(): { readonly nodes: number; readonly bytes: number } {
    return { nodes: this.nodes, bytes: this.bytes };
  }

  readText(text: string): void {
    const size = Buffer.byteLength(text);
    if (size > this.limits.maxBytes) throw this.tooLarge(size);
  }

  addNodes(nodes: number): void {
    this.nodes += nodes;
    if (this.nodes > this.limits.maxNodes)
      throw this.refused(`has more than ${this.limits.maxNodes} values`);
  }

  addBytes(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.limits.maxBytes) throw this.tooLarge(this.bytes);
  }

  addAlias(nodes: number, bytes: number): void {
    this.aliases += 1;
    if (this.aliases > this.limits.maxAliases)
      throw this.refused(`has more than ${this.limits.maxAliases} aliases`);
    this.addNodes(nodes);
    this.addBytes(bytes);
  }

  checkDepth(depth: number): void {
    if (depth > this.limits.maxDepth)
      throw this.refused(`nests values more than ${this.limits.maxDepth} deep`);
  }

  private tooLarge(size: number): TemplateSyntaxError {
    return new TemplateSyntaxError(
      `The size of ${this.what} (${size} bytes) exceeds maximum allowed size (${this.limits.maxBytes} bytes).`,
    );
  }

  private refused(reason: string): TemplateSyntaxError {
    return new TemplateSyntaxError(`Error parsing ${this.what}: it ${reason}.`);
  }
}

export interface TextLimits {
  /** Of the text in UTF-8, and of all texts in it with aliases expanded. */
  readonly maxBytes: number;
  /** Values, with aliases expanded. */
  readonly maxNodes: number;
  readonly maxDepth: number;
  readonly maxAliases: number;
}

/** Lines and columns count from 1. @param what `template [root stack]` */
export function syntaxError(
  what: string,
  text: string,
  offset: number,
  reason: string,
): TemplateSyntaxError {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  return new TemplateSyntaxError(
    `Error parsing ${what} ${reason}, in line ${line}, column ${column}.`,
  );
}
