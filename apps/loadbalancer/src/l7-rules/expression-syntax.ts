/**
 * Reads a regular expression of the syntax that rules may have: what PCRE2 compiles, as HAProxy has
 * it, without what cannot be bounded (back references) or needs more of it (recursion, Unicode).
 * Characters are bytes of ASCII. Public source: PCRE2, "pcre2pattern".
 */

/** The bytes that a place of the subject may have, as bits. */
export type Bytes = bigint;

const ALL = (1n << 256n) - 1n;
const NEWLINE = bit(10);
const DIGITS = span('0', '9');
const WORD = span('a', 'z') | span('A', 'Z') | DIGITS | bit('_');
const SPACE = [9, 10, 11, 12, 13, 32].map(bit).reduce((all, one) => all | one);
const ALPHA = span('a', 'z') | span('A', 'Z');

/** Behind a backslash. */
const CLASSES: Readonly<Record<string, Bytes>> = {
  d: DIGITS,
  D: ALL & ~DIGITS,
  w: WORD,
  W: ALL & ~WORD,
  s: SPACE,
  S: ALL & ~SPACE,
};

/** The same, of one byte each. */
const CONTROLS: Readonly<Record<string, Bytes>> = {
  t: bit(9),
  n: bit(10),
  r: bit(13),
  f: bit(12),
};

/** As `[:name:]` has them. */
const NAMED: Readonly<Record<string, Bytes>> = {
  alnum: ALPHA | DIGITS,
  alpha: ALPHA,
  blank: bit(9) | bit(32),
  digit: DIGITS,
  lower: span('a', 'z'),
  punct: span('!', '/') | span(':', '@') | span('[', '`') | span('{', '~'),
  space: SPACE,
  upper: span('A', 'Z'),
  word: WORD,
  xdigit: DIGITS | span('a', 'f') | span('A', 'F'),
};

/** @param char a character of ASCII, or its code */
function bit(char: string | number): Bytes {
  return 1n << BigInt(typeof char === 'number' ? char : char.charCodeAt(0));
}

/** @param to inclusive */
function span(from: string | number, to: string | number): Bytes {
  const [first, last] = [from, to].map((one) =>
    typeof one === 'number' ? one : one.charCodeAt(0),
  );
  return ((1n << BigInt((last ?? 0) + 1)) - 1n) & ~((1n << BigInt(first ?? 0)) - 1n);
}

/** @returns the only byte; -1 if there are several */
function indexOf(bytes: Bytes): number {
  const at = bytes.toString(2).length - 1;
  return bytes === 1n << BigInt(at) ? at : -1;
}

export type Expression =
  | { readonly kind: 'bytes'; readonly bytes: Bytes }
  | { readonly kind: 'empty' }
  | { readonly kind: 'sequence'; readonly of: readonly Expression[] }
  | { readonly kind: 'choice'; readonly of: readonly Expression[] }
  | {
      readonly kind: 'repeat';
      readonly of: Expression;
      readonly min: number;
      /** Infinity without an end. */
      readonly max: number;
    }
  /** Matches nothing by itself, but looks at what follows. */
  | { readonly kind: 'look'; readonly of: Expression };

/** Why a text is no expression. */
export class ExpressionFault extends Error {}

/** PCRE2 takes up to 65535; a subject is a header. */
const MAX_COUNT = 1000;
const MAX_DEPTH = 50;

export interface ParsedExpression {
  readonly expression: Expression;
  readonly ignoresCase: boolean;
}

/** @throws ExpressionFault with the reason */
export function parseExpression(text: string): ParsedExpression {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new ExpressionFault('it has other characters than ASCII');
  const ignoresCase = text.startsWith('(?i)');
  const reader = new Reader(ignoresCase ? text.slice(4) : text);
  return { expression: reader.whole(), ignoresCase };
}

class Reader {
  #at = 0;

  constructor(private readonly text: string) {}

  whole(): Expression {
    const expression = this.#choice(0);
    if (this.#at < this.text.length) throw new ExpressionFault(`unmatched ')' at ${this.#at}`);
    return expression;
  }

  #choice(depth: number): Expression {
    if (depth > MAX_DEPTH) throw new ExpressionFault('it is nested too deeply');
    const of = [this.#sequence(depth)];
    while (this.#takes('|')) of.push(this.#sequence(depth));
    return of.length === 1 ? (of[0] as Expression) : { kind: 'choice', of };
  }

  #sequence(depth: number): Expression {
    const of: Expression[] = [];
    while (this.#at < this.text.length && !'|)'.includes(this.#next())) {
      const one = this.#atom(depth);
      of.push(this.#repeated(one));
    }
    return { kind: 'sequence', of };
  }

  #atom(depth: number): Expression {
    const char = this.#take();
    switch (char) {
      case '(':
        return this.#group(depth);
      case '[':
        return { kind: 'bytes', bytes: this.#set() };
      case '.':
        return { kind: 'bytes', bytes: ALL & ~NEWLINE };
      case '^':
      case '$':
        return { kind: 'empty' };
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new ExpressionFault(`nothing to repeat at ${this.#at - 1}`);
      default:
        if (char === '{' && /^[\d,]*\}/.test(this.#rest()))
          throw new ExpressionFault(`nothing to repeat at ${this.#at - 1}`);
        return { kind: 'bytes', bytes: bit(char) };
    }
  }

  #group(depth: number): Expression {
    const kind = /^\?(?::|=|!|i:|[^)]{0,2})/.exec(this.#rest())?.[0] ?? '';
    if (kind !== '' && !['?:', '?=', '?!'].includes(kind))
      throw new ExpressionFault(`'(${kind}' is not supported`);
    this.#at += kind.length;
    const of = this.#choice(depth + 1);
    if (!this.#takes(')')) throw new ExpressionFault("missing ')'");
    return kind === '?=' || kind === '?!' ? { kind: 'look', of } : of;
  }

  #repeated(one: Expression): Expression {
    const [count = ''] = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(this.#rest()) ?? [];
    if (count === '') {
      if (/^\{[\d,]*\}/.test(this.#rest()))
        throw new ExpressionFault(`'${this.#rest().split('}')[0] ?? ''}}' is no count`);
      return one;
    }
    this.#at += count.length;
    // Lazy ones match the same texts.
    this.#takes('?');
    if (/^(?:[*+?]|\{\d)/.test(this.#rest()))
      throw new ExpressionFault(`a count after another at ${this.#at}`);
    const [min, max] = boundsOf(count);
    return { kind: 'repeat', of: one, min, max };
  }

  #escape(): Expression {
    const char = this.#next();
    if ('bBAzZ'.includes(char) && char !== '') {
      this.#at += 1;
      return { kind: 'empty' };
    }
    return { kind: 'bytes', bytes: this.#escapedBytes() };
  }

  /** After a backslash. */
  #escapedBytes(): Bytes {
    if (this.#at >= this.text.length) throw new ExpressionFault('it ends with a backslash');
    const char = this.#take();
    const known = CLASSES[char] ?? CONTROLS[char];
    if (known !== undefined) return known;
    if (char === 'x') {
      const [digits] = /^[0-9a-fA-F]{2}/.exec(this.#rest()) ?? [];
      if (digits === undefined) throw new ExpressionFault(String.raw`'\x' without two digits`);
      this.#at += 2;
      return bit(parseInt(digits, 16));
    }
    if (/[A-Za-z0-9]/.test(char)) throw new ExpressionFault(`'\\${char}' is not supported`);
    return bit(char);
  }

  /** After an opening bracket. */
  #set(): Bytes {
    const isNegated = this.#takes('^');
    let bytes = 0n;
    for (let isFirst = true; isFirst || this.#next() !== ']'; isFirst = false) {
      if (this.#at >= this.text.length) throw new ExpressionFault("missing ']'");
      bytes |= this.#member();
    }
    this.#at += 1;
    return isNegated ? ALL & ~bytes : bytes;
  }

  #member(): Bytes {
    const [named, name] = /^\[:(\^?[a-z]*):\]/.exec(this.#rest()) ?? [];
    if (named !== undefined) {
      const bytes = Object.hasOwn(NAMED, name ?? '') ? NAMED[name ?? ''] : undefined;
      if (bytes === undefined) throw new ExpressionFault(`unknown class '${named}'`);
      this.#at += named.length;
      return bytes;
    }
    if (/^\[[.=:]/.test(this.#rest()))
      throw new ExpressionFault(`'${this.#rest().slice(0, 2)}' is not supported`);
    const from = this.#one();
    if (!/^-[^\]]/.test(this.#rest())) return from;
    this.#at += 1;
    const to = this.#one();
    const [first, last] = [indexOf(from), indexOf(to)];
    if (first < 0 || last < 0 || first > last)
      throw new ExpressionFault(`a range of no characters at ${this.#at}`);
    return span(first, last);
  }

  #one(): Bytes {
    const char = this.#take();
    if (char !== '\\') return bit(char);
    return this.#takes('b') ? bit(8) : this.#escapedBytes();
  }

  #rest(): string {
    return this.text.slice(this.#at);
  }

  #next(): string {
    return this.text[this.#at] ?? '';
  }

  #take(): string {
    const char = this.#next();
    this.#at += 1;
    return char;
  }

  #takes(char: string): boolean {
    if (this.#next() !== char) return false;
    this.#at += 1;
    return true;
  }
}

const SIGNS: Readonly<Record<string, readonly [number, number]>> = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
};

function boundsOf(count: string): readonly [number, number] {
  const sign = SIGNS[count];
  if (sign) return sign;
  const [first = '', last] = count.slice(1, -1).split(',');
  const min = Number(first);
  const max = last === undefined ? min : last === '' ? Infinity : Number(last);
  if (max < min) throw new ExpressionFault(`'${count}' counts down`);
  if (min > MAX_COUNT || (max !== Infinity && max > MAX_COUNT))
    throw new ExpressionFault(`'${count}' is more than ${MAX_COUNT}`);
  return [min, max];
}
