import { describe, expect, it } from '@jest/globals';
import { TemplateSyntaxError } from '../template.errors.js';
import { parseMapping, parseText } from './parse-text.js';
import type { TextLimits } from './text-budget.js';

const LIMITS: TextLimits = { maxBytes: 1000, maxNodes: 200, maxDepth: 10, maxAliases: 20 };
const WIDE: TextLimits = { maxBytes: 16e6, maxNodes: 4e6, maxDepth: 100, maxAliases: 20 };

const OF_PAIRS = {
  a: [
    ['b', 1],
    ['c', 2],
  ],
  d: [
    ['e', 1],
    ['e', 2],
  ],
};

function read(text: string, limits = LIMITS): unknown {
  return parseText(text, limits, 'template');
}

describe('text of a template', () => {
  it.each<[string, unknown]>([
    ['heat_template_version: 2021-04-16', { heat_template_version: '2021-04-16' }],
    ['a: 2001-12-14t21:59:43.10-05:00', { a: '2001-12-14t21:59:43.10-05:00' }],
    ['[yes, No, ON, off, true, False, y, n]', [true, false, true, false, true, false, 'y', 'n']],
    ['[~, null, "", Null]', [null, null, '', null]],
    ['[0644, 0o644, 0x1F, 0b101, 1_000, -7, +7]', [420, '0o644', 31, 5, 1000, -7, 7]],
    ['[+.5, 0_, 08, 0x]', ['+.5', 0, '08', '0x']],
    ['a:\n  b: [\n    1\n  ]', { a: { b: [1] } }],
    ['[12:30, 1:2:3, 00:30, 0:30.5]', [750, 3723, '00:30', 30.5]],
    ['[1.5, .5, 1e3, 1.0e+3, 6.02e23]', [1.5, 0.5, '1e3', Object(1000), '6.02e23']],
    ['[1.0, -0.0, 1_0., 1:30.0]', [Object(1), Object(-0), Object(10), Object(90)]],
    ['[.inf, .nan, 1.0e+999, 9:9.]', ['.inf', '.nan', '1.0e+999', Object(549)]],
    ['[12345678901234567890, -0xffffffffffffffff]', [12345678901234567890n, 1n - 2n ** 64n]],
    ['{1.0: a, 12345678901234567890: b}', { '1.0': 'a', '12345678901234567890': 'b' }],
    ['["yes", \'0644\', "2021-04-16"]', ['yes', '0644', '2021-04-16']],
    ['[!!str 1, !!int "7", !!float "1.5", !!bool "yes"]', ['1', 7, 1.5, true]],
    ['{80: a, on: b, ~: c}', { 80: 'a', true: 'b', null: 'c' }],
    ['a: |\n  x\n  y\nb: >-\n  x\n  y\n', { a: 'x\ny\n', b: 'x y' }],
    ['a: &x {k: 1, l: 2}\nb:\n  <<: *x\n  l: 3', { a: { k: 1, l: 2 }, b: { k: 1, l: 3 } }],
    ['a: {<<: [{k: 1}, {k: 2, l: 3}]}', { a: { k: 1, l: 3 } }],
    ['{"<<": 1}', { '<<': 1 }],
    ['a: &x 1\nb: &x 2\nc: *x', { a: 1, b: 2, c: 2 }],
    ['{"a": [1,\t"\\u00e9"], "b": null}', { a: [1, 'é'], b: null }],
    ['{"a": 12345678901234567890, "b": "1\\"2"}', { a: 12345678901234567890n, b: '1"2' }],
    ['{"a": 1.0, "b": "1.0"}', { a: Object(1) as unknown, b: '1.0' }],
    ['{"a": 1, # YAML\n b: 2}', { a: 1, b: 2 }],
    ['# nothing\n', null],
    ['a: 1\nb: 2\na: 3', { a: 3, b: 2 }],
    ['{80: 1, "80": 2}', { 80: 2 }],
    ['{"a": {"b": 1,\n"\\u0062": 2}}', { a: { b: 2 } }],
    ['a: !!set {b, c}\nd: !!set\n  ? e\n', { a: ['b', 'c'], d: ['e'] }],
    ['a: !!omap [{b: 1}, {c: 2}]\nd: !!pairs [e: 1, e: 2]', OF_PAIRS],
    ['a: !!binary aMOp', { a: 'hé' }],
  ])('reads %j', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it("keeps keys that Object's prototype has", () => {
    expect(Object.entries(read('__proto__: {a: 1}\nconstructor: 2') as object)).toEqual([
      ['__proto__', { a: 1 }],
      ['constructor', 2],
    ]);
  });

  it.each([
    ['a: *b', 'the alias "b" has no anchor, in line 1, column 4.'],
    ['a: &b\n  - *b', 'the anchor "b" is within itself, in line 2, column 5.'],
    ['a: !Ref b', 'the tag "!Ref" is not known here, in line 1, column 9.'],
    ['a: !!binary /w==', '!!binary must be UTF-8 text, in line 1, column 13.'],
    ['a: !!omap [{b: 1, c: 2}]', 'must be a list of maps with one key each, in line 1, column 11.'],
    ['a: !!int x', '"x" is not a number, in line 1, column 10.'],
    ['[a]: b', 'a key is not a scalar, in line 1, column 1.'],
    ['a: {<<: 1}', 'what "<<" merges is not a map, in line 1, column 5.'],
    ['a: 1\n---\nb: 2', 'a second document begins, in line 2, column 1.'],
    ['a:\n\tb: 1', 'in line 2, column 1.'],
    ['a: "b', 'missing closing "quote, in line 1, column 6.'],
  ])('refuses %j', (text, message) => {
    expect(() => read(text)).toThrow(TemplateSyntaxError);
    expect(() => read(text)).toThrow(message);
  });

  it('must be a map', () => {
    expect(parseMapping('', LIMITS, 'template')).toEqual({});
    expect(() => parseMapping('- a', LIMITS, 'template')).toThrow(
      'The template is not a JSON object or YAML mapping.',
    );
  });
});

describe('limits of texts', () => {
  /** Aliases of aliases: a value of exponential size. */
  const bomb = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].reduce(
    (text, name, index) =>
      `${text}${name}: &${name} [${`*${'abcdefgh'.charAt(index)},`.repeat(10)}]\n`,
    'a: &a [x]\n',
  );

  it.each([
    ['size', `a: ${'é'.repeat(500)}`, 'The size of template (1003 bytes) exceeds maximum allowed'],
    ['depth', '['.repeat(11), 'it nests values more than 10 deep'],
    ['depth of JSON', `${'['.repeat(11)}${']'.repeat(11)}`, 'it nests values more than 10 deep'],
    ['depth of blocks', '- '.repeat(11), 'it nests values more than 10 deep'],
    ['depth by aliases', 'a: &a [[[[1]]]]\nb: &b [[[*a]]]\nc: [[[*b]]]', 'more than 10 deep'],
    ['values', `[${'1,'.repeat(201)}]`, 'it has more than 200 values'],
    ['values of JSON', `[${'1,'.repeat(200)}1]`, 'it has more than 200 values'],
    ['aliases', `a: &a 1\nb: [${'*a,'.repeat(21)}]`, 'it has more than 20 aliases'],
    ['what aliases stand for', bomb, 'it has more than 200 values'],
    ['texts by aliases', `a: &a ${'x'.repeat(400)}\nb: [*a, *a]`, 'exceeds maximum allowed size'],
  ])('apply to %s', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('count expanded aliases', () => {
    expect(() => read(bomb, { ...WIDE, maxAliases: 1000 })).toThrow('more than 4000000 values');
  });

  it('apply to deep texts without recursion', () => {
    expect(() => read('['.repeat(100_000), WIDE)).toThrow('more than 100 deep');
    expect(() => read('? '.repeat(20_000), WIDE)).toThrow('more than 100 deep');
    expect(() => read('a: '.repeat(20_000), WIDE)).toThrow('more than 100 deep');
    expect(() => read(`{"a": "${'\\"'.repeat(400_000)}`, WIDE)).toThrow('must end with a }');
  });

  it('allow 300,000 lines if they are high enough', () => {
    const lines = Array.from({ length: 300_000 }, (_, index) => `k${index}: v`).join('\n');

    expect(Object.keys(read(lines, WIDE) as object)).toHaveLength(300_000);
  });
});
