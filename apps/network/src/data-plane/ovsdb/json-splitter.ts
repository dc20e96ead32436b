/**
 * Splits a stream of concatenated JSON texts, as in JSON-RPC 1.0 over a stream: a text ends where
 * its brackets balance. Public source: RFC 7047, section 4.
 */

const QUOTE = '"';
const ESCAPE = '\\';

export class JsonSplitter {
  #pending = '';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** @returns the texts that `chunk` completes */
  push(chunk: string): string[] {
    const texts: string[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (!this.#ends(chunk[at] ?? '')) continue;
      texts.push(this.#pending + chunk.slice(from, at + 1));
      this.#pending = '';
      from = at + 1;
    }
    this.#pending += chunk.slice(from);
    return texts;
  }

  #ends(character: string): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === ESCAPE) this.#isEscaped = true;
      else if (character === QUOTE) this.#isInString = false;
      return false;
    }
    if (character === QUOTE) this.#isInString = true;
    else if (character === '{' || character === '[') this.#depth++;
    else if (character === '}' || character === ']') return --this.#depth === 0;
    return false;
  }
}
