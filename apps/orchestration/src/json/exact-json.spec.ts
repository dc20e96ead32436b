import { describe, expect, it } from '@jest/globals';
import { forAllOf, storableText } from '@cumulet/testing/hostile-texts';
import fc from 'fast-check';
import { parseExact, stringifyExact } from './exact-json.js';

const written = (text: string): string => stringifyExact(parseExact(text));

const NUMBERS = ['0', '-7', '1.5', '-0.25', '1.0', '-0.0', '100.0', '1e+16', '1.5e+300'];
const BEYOND = ['9007199254740992', '-12345678901234567890', '1'.repeat(400)];

/** Texts that could be mistaken for numbers. */
const text = fc
  .oneof(storableText, fc.constantFrom('1.0', ': 1.0,', '"1.0', '\\', ' [1e3]', '__proto__'))
  .map((one) => JSON.stringify(one));

/** JSON as `stringifyExact` writes it. Without names that are integers, which JavaScript reorders. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(...NUMBERS, ...BEYOND, 'true', 'null'),
    text,
    fc.array(tie('json')).map((items) => `[${items.join()}]`),
    fc
      .uniqueArray(fc.tuple(text, tie('json')), { selector: ([name]) => name })
      .map((members) => members.filter(([name]) => !/^"\d+"$/.test(name)))
      .map((members) => `{${members.map(([name, one]) => `${name}:${one}`).join()}}`),
  ),
}));

describe('JSON', () => {
  it.each([
    ['1.0', '1.0'],
    ['-0.0', '-0.0'],
    ['[1.00, 1, 1e0, 10E2, 1.5e1]', '[1.0,1,1.0,1000.0,15.0]'],
    ['[1e15, 1e16, 1e22]', '[1000000000000000.0,1e+16,1e+22]'],
    [
      '{"a": 9007199254740993, "b": 9007199254740991}',
      '{"a":9007199254740993,"b":9007199254740991}',
    ],
    ['[-12345678901234567890]', '[-12345678901234567890]'],
    ['[0.30000000000000004, 1.00000000000000000001]', '[0.30000000000000004,1.0]'],
    ['{"1.0": "1.0, 2.0", "b": "\\": 1.0"}', '{"1.0":"1.0, 2.0","b":"\\": 1.0"}'],
    ['{"__proto__": 1.0, "a": 2, "a": 3.0}', '{"__proto__":1.0,"a":3.0}'],
    ['[1e999, -1e999]', '["1e999","-1e999"]'],
    [`[${'9'.repeat(5_000)}]`, `["${'9'.repeat(5_000)}"]`],
  ])('preserves the numbers of %j', (text, expected) => {
    expect(written(text)).toBe(expected);
  });

  it('is parsed as by JavaScript, except for numbers that it does not preserve', () => {
    forAllOf(json, (one) => {
      expect(written(one)).toBe(one);
      const lossy = JSON.stringify(parseExact(one), (_, value: unknown) =>
        typeof value === 'bigint' ? Number(value) : value,
      );
      expect(lossy).toBe(JSON.stringify(JSON.parse(one)));
    });
  });

  it('can be passed between threads', () => {
    const value = structuredClone(parseExact('{"a": [1.0, 12345678901234567890, 2]}'));
    expect(stringifyExact(value)).toBe('{"a":[1.0,12345678901234567890,2]}');
  });

  it.each([
    '{1.0: 2}',
    '{"a": 1.0.0}',
    '[01.0]',
    '[1.0',
    '[.1.0]',
    '[+1.0]',
    '[1.0e]',
    '"1.0',
    '1.0 1.0',
  ])("rejects %j with JavaScript's reason", (text) => {
    const reason = reasonOf(() => JSON.parse(text));
    expect(reasonOf(() => parseExact(text))).toBe(reason);
    expect(reason).toContain('JSON');
  });

  it('drops undefined', () => {
    expect(stringifyExact({ a: undefined, b: Object(1) as unknown, c: new Date(0) })).toBe(
      '{"b":1.0,"c":"1970-01-01T00:00:00.000Z"}',
    );
    expect(stringifyExact(undefined)).toBeUndefined();
  });

  it('is parsed in linear time', () => {
    const many = `[${'1.0,'.repeat(300_000)}""]`;
    expect(written(many)).toBe(many);
    const digits = '1'.repeat(1_000_000);
    expect(written(`["${'\\"'.repeat(500_000)}", 1.0]`)).toContain('1.0');
    expect(() => parseExact(`[1.0, ${digits}-`)).toThrow(SyntaxError);
    expect(() => parseExact(`[1.0, "${'\\"'.repeat(500_000)}`)).toThrow(SyntaxError);
    expect(written(`[${digits}.0${digits}]`)).toContain('"');
  });
});

function reasonOf(act: () => unknown): string {
  try {
    act();
    return 'none';
  } catch (error) {
    return String(error);
  }
}
