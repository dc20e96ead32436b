/** What clients learn of an extension. */
export interface Extension {
  readonly alias: string;
  readonly name: string;
  readonly description: string;
  /** When its definition last changed. */
  readonly updated: string;
}

export const extension = (
  alias: string,
  name: string,
  description: string,
  updated: string,
): Extension => ({ alias, name, description, updated });
