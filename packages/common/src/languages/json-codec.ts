/** How JSON is read and written. JavaScript's own is one: it knows a single kind of number. */
export interface JsonCodec {
  /** @throws SyntaxError */
  parse(text: string): unknown;
  stringify(value: unknown): string;
}
