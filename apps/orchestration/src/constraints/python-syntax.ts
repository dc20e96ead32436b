/** Translates to RE2. Public source: Python, "re: Regular expression syntax". */
/** Why a text is not a pattern, or cannot be matched. */
export class PatternFault extends Error {}

/** RE2's limit on repetitions. */
export const MAX_COUNT = 1_000;
const MAX_DEPTH = 500;

/** The content of a character set for a class, and for its complement. */
interface ClassText {
  readonly members: string;
  readonly others?: string;
}

const UNICODE: Readonly<Record<string, ClassText>> = {
  d: { members: String.raw`\p{Nd}`, others: String.raw`\P{Nd}` },
  s: {
    members: String.raw`\t-\r\x1c- \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`,
    others: String.raw`\x00-\x08\x0e-\x1b!-\x{84}\x{86}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{10ffff}`,
  },
  w: { members: String.raw`_\p{L}\p{N}` },
};
const ASCII: Readonly<Record<string, ClassText>> = {
  d: { members: '0-9', others: String.raw`\x00-/:-\x{10ffff}` },
  s: { members: String.raw`\t-\r `, others: String.raw`\x00-\x08\x0e-\x1f!-\x{10ffff}` },
  w: { members: '_0-9A-Za-z' },
};
const CONTROLS: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };
/** Python's flags that RE2 lacks. */
interface Mode {
  readonly isAscii: boolean;
  readonly isVerbose: boolean;
}

/** A lookahead at the start of a pattern. */
export interface LookAhead {
  readonly text: string;
  readonly isNegative: boolean;
}

export class Translation {
  /** Flags that RE2 has too. */
  flags = '';
  readonly lookAheads: LookAhead[] = [];
  /** An assertion such as `\b` whose Unicode meaning RE2 lacks. */
  wordEdge: string | undefined;
  #at = 0;
  #depth = 0;
  readonly #names = new Set<string>();

  constructor(private readonly pattern: string) {}

  whole(): string {
    const mode = this.#wholeMode();
    this.#beginning(mode);
    let result = this.#sequence(mode);
    if (this.#takes('|')) {
      if (this.lookAheads.length > 0)
        throw new PatternFault('a look-ahead in one of several alternatives is not supported');
      result += `|${this.#alternatives(mode)}`;
    }
    if (this.#at < this.pattern.length) throw new PatternFault('unbalanced parenthesis');
    return result;
  }

  #wholeMode(): Mode {
    let letters = '';
    for (;;) {
      this.#skip({ isAscii: false, isVerbose: letters.includes('x') });
      const found = this.#matched(/\(\?([a-zA-Z]+)\)/y);
      if (!found) break;
      letters += this.#flags(found[1] ?? '');
    }
    this.flags = [...new Set(letters)].filter((one) => 'ims'.includes(one)).join('');
    return { isAscii: letters.includes('a'), isVerbose: letters.includes('x') };
  }

  #flags(letters: string, known = 'aimsux'): string {
    const unknown = Array.from(letters).find((letter) => !known.includes(letter));
    if (unknown !== undefined) throw new PatternFault(`unknown flag '${unknown}'`);
    return letters;
  }

  /** All values are matched from their start, so lookaheads there are matched as separate patterns. */
  #beginning(mode: Mode): void {
    for (;;) {
      this.#skip(mode);
      const found = this.#matched(/\^|\\A|\(\?([=!])/y);
      if (!found) return;
      if (found[1] !== undefined)
        this.lookAheads.push({ text: this.#group(mode), isNegative: found[1] === '!' });
    }
  }

  #alternatives(mode: Mode): string {
    let result = this.#sequence(mode);
    while (this.#takes('|')) result += `|${this.#sequence(mode)}`;
    return result;
  }

  #sequence(mode: Mode): string {
    let result = '';
    for (;;) {
      this.#skip(mode);
      const next = this.pattern[this.#at];
      if (next === undefined || next === '|' || next === ')') return result;
      result += this.#repeated(mode);
    }
  }

  #repeated(mode: Mode): string {
    const isPlace = this.#looksAt(/[\^$]|\\[AbBZ]/y);
    if (this.#count() !== undefined) throw new PatternFault('nothing to repeat');
    const one = this.#one(mode);
    this.#skip(mode);
    const count = this.#count();
    if (count === undefined) return one;
    if (isPlace) throw new PatternFault('nothing to repeat');
    const lazy = this.#takes('?') ? '?' : '';
    if (lazy === '' && this.#takes('+'))
      throw new PatternFault(`possessive repetition ('${count}+') is not supported`);
    if (this.#count() !== undefined) throw new PatternFault('multiple repeat');
    return `${one}${count}${lazy}`;
  }

  /** A brace that is not a quantifier is a character. */
  #count(): string | undefined {
    const found = this.#matched(/[*+?]|\{(?!\})(\d*)(?:(,)(\d*))?\}/y);
    if (!found) return undefined;
    const [whole, min = '', comma, upper = ''] = found;
    if (!whole.startsWith('{')) return whole;
    const least = Number(min);
    const most = comma === undefined ? least : upper === '' ? Infinity : Number(upper);
    if (most < least) throw new PatternFault('min repeat greater than max repeat');
    if (least > MAX_COUNT || (most > MAX_COUNT && most !== Infinity))
      throw new PatternFault(`repeating more than ${MAX_COUNT} times is not supported`);
    return comma === undefined ? `{${least}}` : `{${least},${upper}}`;
  }

  #one(mode: Mode): string {
    const char = this.#take();
    if (char === '\\') return this.#escape(mode);
    if (char === '[') return this.#set(mode);
    if (char === '(') return this.#anyGroup(mode);
    return '.^$'.includes(char) ? char : literal(char);
  }

  #anyGroup(mode: Mode): string {
    if (!this.#takes('?')) return `(?:${this.#group(mode)})`;
    const named = this.#matched(/P<([^>)]*)>/y);
    if (named) {
      this.#name(named[1] ?? '');
      return `(?:${this.#group(mode)})`;
    }
    const behind = this.#matched(/<[=!]/y);
    if (behind) return `(?${behind[0]}${this.#group(mode)})`;
    const own = this.#matched(/([a-zA-Z]*)(?:-([a-zA-Z]+))?:/y);
    if (own) return this.#groupWithFlags(mode, own[1] ?? '', own[2] ?? '');
    throw new PatternFault(this.#unsupportedGroup());
  }

  #unsupportedGroup(): string {
    if (this.#looksAt(/[=!]/y))
      return `a look-ahead ('(?${this.#take()}') anywhere but at a pattern's beginning is not supported`;
    if (this.#looksAt(/P=/y)) return "a back reference ('(?P=') is not supported";
    if (this.#looksAt(/>/y)) return "an atomic group ('(?>') is not supported";
    if (this.#looksAt(/\(/y)) return "a conditional group ('(?(') is not supported";
    if (this.#looksAt(/[a-zA-Z]+\)/y)) return 'global flags not at the start of the expression';
    return `unknown extension '(?${this.pattern.slice(this.#at, this.#at + 1)}'`;
  }

  #name(name: string): void {
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
      throw new PatternFault(`bad character in group name '${name}'`);
    if (this.#names.has(name)) throw new PatternFault(`redefinition of group name '${name}'`);
    this.#names.add(name);
  }

  #groupWithFlags(mode: Mode, on: string, off: string): string {
    const isMeant = (letter: string, now: boolean): boolean =>
      off.includes(letter) ? false : now || on.includes(letter);
    const body = this.#group({
      isAscii: this.#flags(on).includes('u') ? false : isMeant('a', mode.isAscii),
      isVerbose: isMeant('x', mode.isVerbose),
    });
    const [set, unset] = [on, this.#flags(off, 'imsx')].map((all) => all.replace(/[^ims]/g, ''));
    return `(?${set}${unset === '' ? '' : `-${unset}`}:${body})`;
  }

  #group(mode: Mode): string {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new PatternFault('expression nests too deeply');
    const body = this.#alternatives(mode);
    this.#depth -= 1;
    if (!this.#takes(')')) throw new PatternFault('missing ), unterminated subpattern');
    return body;
  }

  #escape(mode: Mode): string {
    const char = this.#taken();
    if (char === 'A') return '^';
    if (char === 'Z') return String.raw`\z`;
    if (char === 'b' || char === 'B') {
      if (!mode.isAscii) this.wordEdge = `\\${char}`;
      return `\\${char}`;
    }
    const kind = classOf(char, mode);
    if (kind) return isOthers(char) ? `[^${kind.members}]` : `[${kind.members}]`;
    if (/[1-9]/.test(char) && !this.#looksAt(/(?<=[1-7])[0-7]{2}/y))
      throw new PatternFault(`a back reference ('\\${char}') is not supported`);
    return codeText(this.#code(char));
  }

  #set(mode: Mode): string {
    const isNegative = this.#takes('^');
    let members = '';
    let hasForeign = false;
    for (let isFirst = true; isFirst || !this.#takes(']'); isFirst = false) {
      const low = this.#member(mode);
      if (this.#looksAt(/-[^\]]/y)) members += this.#range(low, mode);
      else if (typeof low === 'number') members += codeText(low);
      else if (low.text === undefined) hasForeign = true;
      else members += low.text;
    }
    if (!hasForeign) return `[${isNegative ? '^' : ''}${members}]`;
    const words = (mode.isAscii ? ASCII : UNICODE)['w']?.members ?? '';
    const [own, foreign] = [members === '' ? undefined : `[${members}]`, `[^${words}]`];
    if (isNegative) return own === undefined ? `[${words}]` : `(?:[${words}](?<!${own}))`;
    return own === undefined ? foreign : `(?:${own}|${foreign})`;
  }

  #range(low: Member, mode: Mode): string {
    const from = this.#at;
    this.#at += 1;
    const high = this.#member(mode);
    if (typeof low === 'number' && typeof high === 'number' && low <= high)
      return `${codeText(low)}-${codeText(high)}`;
    throw new PatternFault(`bad character range at '${this.pattern.slice(from, this.#at)}'`);
  }

  #member(mode: Mode): Member {
    if (this.#at >= this.pattern.length) throw new PatternFault('unterminated character set');
    const char = this.#take();
    if (char !== '\\') return codeOf(char);
    const escaped = this.#taken();
    if (escaped === 'b') return 8;
    const kind = classOf(escaped, mode);
    if (kind) return { text: isOthers(escaped) ? kind.others : kind.members };
    return this.#code(escaped);
  }

  /** The code of an escaped character, whose first letter has been read. */
  #code(char: string): number {
    const digits = { x: 2, u: 4, U: 8 }[char];
    if (digits !== undefined) {
      const [hex] = this.#matched(new RegExp(`[0-9a-fA-F]{${digits}}`, 'y')) ?? [];
      const code = Number.parseInt(hex ?? '', 16);
      if (hex !== undefined && code <= 0x10_ff_ff) return code;
      throw new PatternFault(`'\\${char}' without ${digits} digits of a character's code`);
    }
    if (/[0-7]/.test(char)) {
      const [more = ''] = this.#matched(/[0-7]{1,2}/y) ?? [];
      const code = Number.parseInt(`${char}${more}`, 8);
      if (code <= 0o377) return code;
      throw new PatternFault(`octal escape value \\${char}${more} outside of range 0-0o377`);
    }
    if (CONTROLS[char] !== undefined) return CONTROLS[char];
    if (/[0-9a-zA-Z]/.test(char)) throw new PatternFault(`bad escape '\\${char}'`);
    return codeOf(char);
  }

  #skip({ isVerbose }: Mode): void {
    const skipped = isVerbose ? /(?:\(\?#[^)]*\)|[ \t-\r]|#[^\n]*)+/y : /(?:\(\?#[^)]*\))+/y;
    this.#matched(skipped);
    if (this.#looksAt(/\(\?#/y)) throw new PatternFault('missing ), unterminated comment');
  }

  #matched(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.pattern) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  #looksAt(expression: RegExp): boolean {
    expression.lastIndex = this.#at;
    return expression.test(this.pattern);
  }

  #taken(): string {
    if (this.#at >= this.pattern.length) throw new PatternFault('bad escape (end of pattern)');
    return this.#take();
  }

  #take(): string {
    const char = String.fromCodePoint(this.pattern.codePointAt(this.#at) ?? 0);
    this.#at += char.length;
    return char;
  }

  #takes(char: string): boolean {
    if (this.pattern[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }
}

/** A character's code, or a class in a set; undefined stands for a class of all non-word characters. */
type Member = number | { readonly text: string | undefined };

function classOf(char: string, { isAscii }: Mode): ClassText | undefined {
  return 'dDsSwW'.includes(char) ? (isAscii ? ASCII : UNICODE)[char.toLowerCase()] : undefined;
}

function isOthers(char: string): boolean {
  return char === char.toUpperCase();
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function literal(char: string): string {
  return codeText(codeOf(char));
}

/** Valid within a set and outside. */
function codeText(code: number): string {
  const char = String.fromCodePoint(code);
  return /[0-9A-Za-z]/.test(char) ? char : `\\x{${code.toString(16)}}`;
}
