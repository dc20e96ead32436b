import { expect, it } from '@jest/globals';
import { forAllOf, storableText } from '@cumulet/testing/hostile-texts';
import fc from 'fast-check';
import { parseDocument } from 'yaml';
import { yamlDocument, yamlText, type YamlTree } from './yaml.js';

/** YAML 1.1, "c-printable", of what may stand in a document; readers refuse all else. */
const PRINTABLE = /^[\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

function read(text: string, version: '1.1' | '1.2'): unknown {
  const document = parseDocument(text, { version, strict: true, uniqueKeys: true });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS({ mapAsMap: true });
}

const key = storableText;
const { tree } = fc.letrec<{ tree: YamlTree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.oneof(storableText, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.constantFrom(true, false, null),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** With maps for objects, as the reader gives them, and without the sign of zero. */
function asRead(value: YamlTree): unknown {
  if (value === 0) return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asRead);
  return new Map(
    Object.entries<YamlTree>(value as never).map(([name, one]) => [name, asRead(one)]),
  );
}

it('readers of both versions read the same string, as a value and as a key', () => {
  forAllOf(storableText, (text) => {
    const written = yamlDocument({ [text]: text, list: [text, { key: text }] });
    expect(written).toMatch(PRINTABLE);
    const expected = asRead({ [text]: text, list: [text, { key: text }] });
    for (const version of ['1.1', '1.2'] as const) expect(read(written, version)).toEqual(expected);
    expect(JSON.parse(yamlText(text))).toBe(text);
    expect(yamlText(text)).not.toContain('\n');
  });
});

it('readers of both versions read the same tree', () => {
  forAllOf(tree, (value) => {
    const written = yamlDocument(value);
    for (const version of ['1.1', '1.2'] as const)
      expect(read(written, version)).toEqual(asRead(value));
  });
});

it('a float has a point, and an integer all its digits', () => {
  const written = yamlDocument({
    a: Object(1) as number,
    b: 12345678901234567890n,
    c: Object(1e21) as number,
  });
  expect(written).toBe('a: 1.0\nb: 12345678901234567890\nc: 1.0e+21\n');
});

it('is indented as people write it', () => {
  expect(
    yamlDocument({ a: { b: [], c: {}, d: [1e-7, 'x', { e: true, f: null }, [2]] }, no: undefined }),
  ).toBe(
    [
      'a:',
      '  b: []',
      '  c: {}',
      '  d:',
      '    - 1.0e-7',
      '    - "x"',
      '    - e: true',
      '      f: null',
      '    - - 2',
      '',
    ].join('\n'),
  );
  expect(() => yamlDocument(NaN)).toThrow(RangeError);
});
