import { describe, expect, it } from '@jest/globals';
import { fetchOf, line, UnspeakableWordError, word } from './words.js';

/** How HAProxy reads a line: Configuration Manual, "2.2. Quoting and escaping". */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let current: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote === "'" ? char === "'" : quote === '"' && char === '"') quote = '';
    else if (quote === "'") current = (current ?? '') + char;
    else if (char === '\\') {
      at += 1;
      current = (current ?? '') + text.charAt(at);
    } else if (quote === '' && (char === "'" || char === '"')) {
      quote = char;
      current ??= '';
    } else if (quote === '' && char === '#') break;
    else if (quote === '' && /\s/.test(char)) {
      if (current !== undefined) words.push(current);
      current = undefined;
    } else current = (current ?? '') + char;
  }
  if (quote !== '') throw new Error(`a quote is open: ${text}`);
  return current === undefined ? words : [...words, current];
}

const ALPHABET = [
  ...` '"\\#$%{}()[],;:|&!?*~<>\`=-+.ab0`.split(''),
  '${HOME}',
  "'\\''",
  '%[src]',
  'é',
  '日',
];

/** The same values in every run. */
function* hostileValues(count: number): Generator<string> {
  let state = 1;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  for (let at = 0; at < count; at += 1) {
    const length = 1 + next(12);
    yield Array.from({ length }, () => ALPHABET[next(ALPHABET.length)]).join('');
  }
}

describe('a word of the configuration', () => {
  it('is what HAProxy reads, and nothing else, whatever a client chose', () => {
    for (const value of hostileValues(5000))
      expect(wordsOf(line('acl', 'x', word(value), 'end'))).toEqual(['acl', 'x', value, 'end']);
  });

  it('is the argument of an expression alone, or refused', () => {
    for (const value of hostileValues(1000)) {
      if (/["\\]/.test(value))
        expect(() => fetchOf('req.hdr', value)).toThrow(UnspeakableWordError);
      else expect(wordsOf(line(fetchOf('req.hdr', value)))).toEqual([`req.hdr("${value}")`]);
    }
  });

  it.each(['a\nglobal', 'a\r', '\0', '\t', '\u007f'])(
    'is refused with what ends lines: %j',
    (value) => {
      for (const make of [word, (text: string) => fetchOf('req.hdr', text)])
        expect(() => make(value)).toThrow(UnspeakableWordError);
    },
  );
});
