/**
 * Regular expressions of templates are Python's, and are matched by RE2, which takes time in proportion
 * to a value's length. Public source: heat, `engine/constraints.py`, AllowedPattern.
 *
 * Always holds: what cannot be said in RE2's language is refused by its name, never taken for something
 * else. Two corners are RE2's: a `$` stands for the end of the value alone, and not also for the place
 * before a last newline; and what ignores case takes ſ for s and K for k by the rules of ASCII too.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js';
import { MAX_COUNT, PatternFault, Translation } from './python-syntax.js';

/** Letters and digits that no class of ASCII has among its words. */
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

  /**
   * Whether the first way that matches at the value's beginning ends where the value does.
   * @throws PatternFault where the value has what the pattern cannot judge
   */
  matches(value: string): boolean {
    return this.#lengthIn(value) === value.length;
  }

  /** Whether the value begins with something that it matches. @throws PatternFault */
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
