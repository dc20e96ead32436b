/**
 * Regular expressions of templates are Python's: this writes them as JavaScript has them. Public
 * source: Python, "re: Regular expression syntax".
 *
 * Always holds: what has no counterpart is refused, never taken for something else.
 */

/** Why a text is no pattern. */
export class PatternFault extends Error {}

/** Escapes that mean something in both languages, or that JavaScript refuses where it does not. */
const SAME = /[bBdDsSwWfnrtv0-9\\^$.*+?()[\]{}|/]/;
const OWN: Readonly<Record<string, string>> = {
  A: '^',
  Z: String.raw`$(?![^])`,
  a: String.raw`\x07`,
};
const UNICODE: Readonly<Record<string, readonly [outside: string, within: string]>> = {
  d: [String.raw`\p{Nd}`, String.raw`\p{Nd}`],
  D: [String.raw`\P{Nd}`, String.raw`\P{Nd}`],
  w: [String.raw`[\p{L}\p{N}_]`, String.raw`\p{L}\p{N}_`],
  W: [String.raw`[^\p{L}\p{N}_]`, ''],
};

/**
 * Compiles it to be matched from where `lastIndex` stands: at the beginning.
 * @throws PatternFault with the reason
 */
export function compilePattern(pattern: string): RegExp {
  const [, letters = '', body = ''] = /^(?:\(\?([a-zA-Z]+)\))?([^]*)$/.exec(pattern) ?? [];
  const flags = new Set(['u', 'y']);
  for (const letter of letters) {
    if (!'aismu'.includes(letter)) throw new PatternFault(`the flag '${letter}' is not supported`);
    if ('ism'.includes(letter)) flags.add(letter);
  }
  try {
    return new RegExp(new Translation(body).whole(), [...flags].join(''));
  } catch (error) {
    if (error instanceof PatternFault) throw error;
    const reason = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, '') : 'unknown';
    throw new PatternFault(reason);
  }
}

class Translation {
  #at = 0;

  constructor(private readonly pattern: string) {}

  whole(): string {
    let result = '';
    while (this.#at < this.pattern.length) result += this.#one();
    return result;
  }

  #one(): string {
    const char = this.#take();
    if (char === '\\') return this.#escape(false);
    if (char === '[') return this.#set();
    if (char === '(') return this.#group();
    if (char === '{') return this.#count();
    return char === ']' || char === '}' ? `\\${char}` : char;
  }

  #set(): string {
    let result = this.#takes('^') ? '[^' : '[';
    for (let isFirst = true; ; isFirst = false) {
      if (this.#at >= this.pattern.length) throw new PatternFault("missing ']'");
      const char = this.#take();
      if (char === ']' && !isFirst) return `${result}]`;
      result += char === '\\' ? this.#escape(true) : char === ']' ? String.raw`\]` : char;
    }
  }

  #escape(isWithin: boolean): string {
    if (this.#at >= this.pattern.length) throw new PatternFault('it ends with a backslash');
    const char = this.#take();
    const classes = UNICODE[char];
    if (classes) {
      const text = classes[isWithin ? 1 : 0];
      if (text === '') throw new PatternFault(`'\\${char}' within brackets is not supported`);
      return text;
    }
    if (!isWithin && OWN[char] !== undefined) return OWN[char];
    if ('xu'.includes(char)) return `\\${char}`;
    if (char === 'U') return this.#longCode();
    if (SAME.test(char)) return `\\${char}`;
    if (/[a-zA-Z]/.test(char)) throw new PatternFault(`'\\${char}' is not supported`);
    return isWithin && char === '-' ? String.raw`\-` : char;
  }

  #longCode(): string {
    const [digits] = /^[0-9a-fA-F]{8}/.exec(this.#rest()) ?? [];
    if (digits === undefined) throw new PatternFault(String.raw`'\U' without eight digits`);
    this.#at += 8;
    return `\\u{${digits.replace(/^0+(?=.)/, '')}}`;
  }

  #group(): string {
    const [same] = /^\?(?:[:=!]|<[=!])/.exec(this.#rest()) ?? [];
    if (same !== undefined) return this.#replaced(same.length, `(${same}`);
    const [named, name] = /^\?P<([A-Za-z_]\w*)>/.exec(this.#rest()) ?? [];
    if (named !== undefined) return this.#replaced(named.length, `(?<${name}>`);
    const [back, of] = /^\?P=([A-Za-z_]\w*)\)/.exec(this.#rest()) ?? [];
    if (back !== undefined) return this.#replaced(back.length, `\\k<${of}>`);
    const [comment] = /^\?#[^)]*\)/.exec(this.#rest()) ?? [];
    if (comment !== undefined) return this.#replaced(comment.length, '');
    const [other] = /^\?.{0,2}/s.exec(this.#rest()) ?? [];
    if (other !== undefined) throw new PatternFault(`'(${other}' is not supported`);
    return '(';
  }

  /** Where it counts nothing it is a character. */
  #count(): string {
    const [count, min, rest = ''] = /^(\d*)(,\d*)?\}/.exec(this.#rest()) ?? [];
    if (count === undefined || (min === '' && rest.length < 2)) return String.raw`\{`;
    return this.#replaced(count.length, `{${min === '' ? '0' : min}${rest}}`);
  }

  #replaced(length: number, by: string): string {
    this.#at += length;
    return by;
  }

  #take(): string {
    const char = this.pattern.charAt(this.#at);
    this.#at += 1;
    return char;
  }

  #takes(char: string): boolean {
    if (this.pattern[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #rest(): string {
    return this.pattern.slice(this.#at);
  }
}
