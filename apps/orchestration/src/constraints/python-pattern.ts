/**
 * Patterns of templates are Python's and are matched by RE2 in time linear in the value's length.
 * Public source: heat, `engine/constraints.py`, AllowedPattern.
 *
 * Always holds: a pattern that RE2 cannot express is refused by name. Two details follow RE2: `$`
 * matches only at the end of the value, not before a last newline; and ignoring case under the rules
 * of ASCII also equates ſ with s and K with k.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js';
import { MAX_COUNT, PatternFault, Translation } from './python-syntax.js';

/** Letters and digits beyond ASCII. */
const FOREIGN_WORD = /(?![0-9A-Za-z])[\p{L}\p{N}]/u;

export class PythonPattern {
  readonly #body: RE2JS;
  readonly #lookAheads: readonly { readonly compiled: RE2JS; readonly isNegative: boolean }[];
  readonly #wordEdge: string | undefined;

  /** @throws PatternFault with the reason */
  constructor(pattern: string) {
    const translation = new Translation(pattern);
    const body = translation.whole();
    this.#wordEdge = translation.wordEdge;
    this.#body = compiled(translation.flags, body);
    this.#lookAheads = translation.lookAheads.map(({ text, isNegative }) => ({
      compiled: compiled(translation.flags, text),
      isNegative,
    }));
  }

  /** Steps that each character of a value may take. */
  get size(): number {
    const all = [this.#body, ...this.#lookAheads.map((one) => one.compiled)];
    return all.reduce((sum, one) => sum + one.programSize(), 0);
  }

  /** Whether the preferred match is the whole value. @throws PatternFault if it cannot be judged */
  matches(value: string): boolean {
    return this.#lengthIn(value) === value.length;
  }

  /** Whether a match starts the value. @throws PatternFault */
  begins(value: string): boolean {
    return this.#lengthIn(value) !== undefined;
  }

  #lengthIn(value: string): number | undefined {
    if (this.#wordEdge !== undefined && FOREIGN_WORD.test(value))
      throw new PatternFault(
        `'${this.#wordEdge}' knows words of ASCII alone, and the value has others`,
      );
    const isRuledOut = this.#lookAheads.some(
      (one) => one.compiled.matcher(value).lookingAt() === one.isNegative,
    );
    if (isRuledOut) return undefined;
    const matcher = this.#body.matcher(value);
    return matcher.lookingAt() ? matcher.end() : undefined;
  }
}

function compiled(flags: string, text: string): RE2JS {
  try {
    return RE2JS.compile(flags === '' ? text : `(?${flags})${text}`, RE2JS.LOOKBEHINDS);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const reason = error.getDescription();
    throw new PatternFault(
      reason === 'invalid repeat count'
        ? `repeating more than ${MAX_COUNT} times is not supported`
        : reason,
    );
  }
}
