import { isIP } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { forAllOf, hostileText } from '@cumulet/testing/hostile-texts';
import * as words from './words.js';
import { line, UnquotableWordError, word, type Word } from './words.js';

/** Parses a line as HAProxy does: Configuration Manual, "2.2. Quoting and escaping". */
function wordsOf(text: string): string[] {
  const found: string[] = [];
  let current: string | undefined;
  let quote = '';
  if (/[\n\r\0]/.test(text)) throw new Error(`more than a line: ${JSON.stringify(text)}`);
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
    else if (char === '$') throw new Error(`the environment is read: ${text}`);
    else if (quote === '' && /[ \t\v\f]/.test(char)) {
      if (current !== undefined) found.push(current);
      current = undefined;
    } else current = (current ?? '') + char;
  }
  if (quote !== '') throw new Error(`a quote is open: ${text}`);
  return current === undefined ? found : [...found, current];
}

/** Undefined for a refused value. */
function unlessRefused(write: () => Word): Word | undefined {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof UnquotableWordError)) throw error;
    return undefined;
  }
}

const CONTROL = /[^\P{Cc}\u0080-\u009f]/u;

function requireSame(given: unknown, found: unknown): void {
  if (JSON.stringify(given) !== JSON.stringify(found))
    throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(given)}`);
}

describe('a word of the configuration', () => {
  it('is read by HAProxy exactly as given, whatever a client chose', () => {
    forAllOf(hostileText, (value) => {
      const written = unlessRefused(() => word(value));
      requireSame(CONTROL.test(value), written === undefined);
      if (written !== undefined)
        requireSame(['acl', 'x', value, 'end'], wordsOf(line`acl x ${written} end`));
      const format = unlessRefused(() => words.format(value));
      if (format === undefined) return;
      const [, read = ''] = wordsOf(line`set-header ${format}`);
      requireSame(value, read.replaceAll('%%', '%'));
      requireSame(null, /%(?!%)/.exec(read.replaceAll('%%', '')));
    });
  });

  it('is a single argument of an expression, or is refused', () => {
    forAllOf(hostileText, (value) => {
      const written = unlessRefused(() => words.fetchOf('req.hdr', value));
      requireSame(/["\\]/.test(value) || CONTROL.test(value), written === undefined);
      if (written !== undefined) requireSame([`req.hdr("${value}")`], wordsOf(line`${written}`));
    });
  });

  it('with a type is of that type, or is refused', () => {
    const near = (...good: readonly string[]) =>
      fc.oneof(
        hostileText,
        fc.constantFrom(...good),
        fc.tuple(fc.constantFrom(...good), hostileText).map(([one, more]) => `${one}${more}`),
      );
    const values = fc.tuple(near('192.0.2.1', '2001:db8::1'), near('a-1', 'a.pem'), fc.double());
    forAllOf(values, ([address, name, number]) => {
      const all = [
        unlessRefused(() => words.host(address)),
        unlessRefused(() => words.endpoint(address, 80)),
        unlessRefused(() => words.network(`${address}/24`)),
        unlessRefused(() => words.name(name)),
        unlessRefused(() => words.condition(name, true)),
        unlessRefused(() => words.pathOf(name)),
        unlessRefused(() => words.number(number, 'ms')),
      ];
      for (const one of all)
        if (one !== undefined && !/^'?[\w.:[\]!/-]+'?$/.test(one)) throw new Error(one);
      const [host = ''] = all;
      if (host !== '' && isIP(host.replaceAll(/[[\]']/g, '')) === 0) throw new Error(host);
    });
  });

  it.each(['a\nglobal', 'a\r', '\0', '\t', '\u007f', 'x'.repeat(8193)])(
    'is refused if it contains line breaks or control characters, or is too long: %.20j',
    (value) => {
      for (const make of [word, words.format, (text: string) => words.fetchOf('req.hdr', text)])
        expect(() => make(value)).toThrow(UnquotableWordError);
    },
  );

  it('cannot be plain text', () => {
    const text: string = 'acl x';
    // @ts-expect-error a value is no word of its own
    expect(line`acl ${text}`).toBe('  acl acl x');
    // @ts-expect-error what is fetched stands in the source
    expect(words.fetchOf(text, 'a')).toBe(`'acl x("a")'`);
    // @ts-expect-error a template with a value in it does not
    expect(words.fetchOf(`req.${text}` as const, 'a')).toBe(`'req.acl x("a")'`);
  });
});
