import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { forAllOf, storableText } from '@cumulet/testing/hostile-texts';
import { constantsIn, tokensOf, type Token } from './ovn-lexer.fixture.js';
import * as match from './ovn-match.js';

const side = fc.constantFrom('inport' as const, 'outport' as const);
const ip = fc.constantFrom('ip4' as const, 'ip6' as const);
const end = fc.constantFrom('src' as const, 'dst' as const);
const address = fc.oneof(
  storableText,
  fc.constantFrom('10.0.0.1', '10.0.0.0/8', '2001:db8::/32', '::ffff:10.0.0.1', '0.0.0.0/0'),
  storableText.map((text) => `10.0.0.1${text}`),
  storableText.map((text) => `${text}::1/64`),
);

const AND = { type: '&&', text: '&&' };
const EQUAL = { type: '==', text: '==' };
const id = (text: string) => ({ type: 'id', text });

const typesOf = (tokens: readonly Token[] = []) => tokens.map(({ type }) => type);

function termsOf(text: string): Token[][] {
  const terms: Token[][] = [[]];
  for (const token of tokensOf(text))
    if (token.type === '&&') terms.push([]);
    else terms.at(-1)?.push(token);
  return terms;
}

describe('a match', () => {
  it('is one comparison for each value, whatever it contains', () => {
    let known = 0;
    const values = fc.tuple(side, ip, end, storableText, fc.array(address, { maxLength: 4 }));
    forAllOf(values, ([at, version, of, text, addresses]) => {
      const isAt = match.isAt(version, of, addresses);
      known += isAt === undefined ? 0 : 1;
      const terms = [
        match.isPort(at, text),
        match.isInGroup(at, `pg_${text}`),
        match.isOfGroup(version, of, `pg_${text}`),
        match.isResident(text),
        ...(isAt === undefined ? [] : [isAt]),
      ];
      const [port, group, ofGroup, resident, set = []] = termsOf(match.all(...terms));
      const [field, equal, ...constants] = set;
      const kinds = isAt === undefined ? [] : constantsIn(constants).map(({ type }) => type);
      expect([port, typesOf(group), typesOf(ofGroup), typesOf(resident), field, equal]).toEqual([
        [id(at), EQUAL, { type: 'string', text }],
        ['id', '==', 'group'],
        ['id', '==', 'set'],
        ['id', '(', 'string', ')'],
        ...(isAt === undefined ? [undefined, undefined] : [id(`${version}.${of}`), EQUAL]),
      ]);
      if (kinds.some((kind) => kind !== 'number')) throw new Error(`no address: ${isAt ?? ''}`);
    });
    expect(known).toBeGreaterThan(1_000);
  });

  it('matches addresses of its IP version only', () => {
    const all = ['10.0.0.0/8', '2001:db8::/32', '10.0.0.1', '10.0.0.1/8', 'x} || ip4'];
    expect(match.isAt('ip4', 'src', all)).toBe('ip4.src == {10.0.0.0/8, 10.0.0.1}');
    expect(match.isAt('ip6', 'dst', all)).toBe('ip6.dst == 2001:db8::/32');
    expect(match.isAt('ip6', 'dst', ['10.0.0.1'])).toBeUndefined();
  });

  it.each([-1, 1.5, NaN, Infinity])('refuses the number %d', (value) => {
    expect(() => match.compares('tcp.dst', '==', value)).toThrow(RangeError);
  });

  it('joins terms', () => {
    expect(tokensOf(match.all(match.isOf('ip4'), match.isOf('tcp')))).toEqual([
      id('ip4'),
      AND,
      id('tcp'),
    ]);
  });
});
