/**
 * Parses Python's `repr`, which Magnum's client sends for maps and lists. Pure. Public source:
 * python-magnumclient, `osc/v1/nodegroups.py`; Python reference, "Literals".
 */

const TOKEN =
  /\s*(?:([[\]{}:,])|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?)|([A-Za-z]+))/y;

const WORDS: Readonly<Record<string, unknown>> = {
  True: true,
  true: true,
  False: false,
  false: false,
  None: null,
  null: null,
};

const MAX_LENGTH = 65_536;
const MAX_DEPTH = 8;

/** @returns undefined if it is not a literal */
export function pythonLiteral(text: string): unknown {
  if (text.length > MAX_LENGTH) return undefined;
  const tokens = tokensOf(text);
  if (!tokens) return undefined;
  const reader = new Reader(tokens);
  try {
    const value = reader.value(0);
    return reader.isAtEnd ? value : undefined;
  } catch (error) {
    if (error instanceof NotALiteral) return undefined;
    throw error;
  }
}

class NotALiteral extends Error {}

type Token = { readonly mark: string } | { readonly value: unknown };

function tokensOf(text: string): Token[] | undefined {
  const trimmed = text.trimEnd();
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const found = TOKEN.exec(trimmed);
    if (!found) return undefined;
    const [, mark, single, double, number, word] = found;
    if (mark !== undefined) tokens.push({ mark });
    else if (number !== undefined) tokens.push({ value: Number(number) });
    else if (word === undefined) tokens.push({ value: unescaped(single ?? double ?? '') });
    else if (Object.hasOwn(WORDS, word)) tokens.push({ value: WORDS[word] });
    else return undefined;
  }
  return tokens;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** `repr` escapes by a letter, or by a code for unprintable characters. */
function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gis,
    (_, byte: string | undefined, unit: string | undefined, one: string | undefined = '') => {
      const digits = byte ?? unit;
      return digits === undefined
        ? (ESCAPES[one] ?? one)
        : String.fromCharCode(parseInt(digits, 16));
    },
  );
}

class Reader {
  #at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  get isAtEnd(): boolean {
    return this.#at === this.tokens.length;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NotALiteral();
    if (this.#skips('{')) return this.#map(depth);
    if (this.#skips('[')) return this.#list(depth);
    return this.#plain();
  }

  #map(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    while (!this.#skips('}')) {
      const key = this.#plain();
      if (typeof key !== 'string' || !this.#skips(':')) throw new NotALiteral();
      entries.push([key, this.value(depth + 1)]);
      this.#separates('}');
    }
    return Object.fromEntries(entries);
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = [];
    while (!this.#skips(']')) {
      items.push(this.value(depth + 1));
      this.#separates(']');
    }
    return items;
  }

  #plain(): unknown {
    const token = this.tokens[this.#at++];
    if (!token || !('value' in token)) throw new NotALiteral();
    return token.value;
  }

  /** A trailing comma is allowed. */
  #separates(end: string): void {
    if (!this.#skips(',') && !this.#isAt(end)) throw new NotALiteral();
  }

  #isAt(mark: string): boolean {
    const token = this.tokens[this.#at];
    return token !== undefined && 'mark' in token && token.mark === mark;
  }

  #skips(mark: string): boolean {
    if (!this.#isAt(mark)) return false;
    this.#at += 1;
    return true;
  }
}
