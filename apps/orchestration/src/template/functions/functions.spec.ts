import { describe, expect, it } from '@jest/globals';
import { lateResultOf, resultOf, type Case, type Refusal } from './functions.fixture.js';

const OLD = '2013-05-23';

/** From Heat's template guide and the source of its functions. */
const CASES: readonly Case[] = [
  ['str_replace', { template: 'a $b $bc', params: { $b: 1, $bc: 'x' } }, 'a 1 x'],
  ['str_replace', { template: 'ab', params: { a: 'b', b: 'c' } }, 'bc'],
  ['str_replace', { template: 'a b', params: { a: null, b: true } }, ' True'],
  [
    'str_replace',
    { template: 'a', params: { a: { y: [1, 'é'], x: null } } },
    '{"x": null, "y": [1, "\\u00e9"]}',
  ],
  ['str_replace', { template: 'abcd', params: { ab: '1', bcd: '2' } }, 'a2'],
  ['str_replace', { template: 'a', params: {} }, 'a'],
  ['str_replace', { template: 'a.a', params: { a: '$&' } }, '$&.$&'],
  ['str_replace', { template: 'a', params: { a: 1.5 } }, '1.5', OLD],
  ['str_replace_strict', { template: 'a b', params: { a: 1, b: null } }, '1 '],
  ['str_replace_vstrict', { template: 'a b', params: { a: 1, b: [0] } }, '1 [0]'],
  ['Fn::Replace', [{ $a: 'x' }, 'is $a'], 'is x', OLD],
  ['list_join', [', ', ['a', 'b', null]], 'a, b, '],
  ['list_join', ['-', ['a'], null, ['b', { c: 1 }, [2]]], 'a-b-{"c": 1}-[2]'],
  ['list_join', ['-', {}, false, ['a']], 'a'],
  ['list_join', ['-', ['a', 'b']], 'a-b', OLD],
  ['list_join', ['-', null], '', OLD],
  ['Fn::Join', ['', ['a', 'b']], 'ab', OLD],
  ['list_concat', [['a'], null, ['b', 'a']], ['a', 'b', 'a']],
  [
    'list_concat_unique',
    [['b', 'a'], ['a', 'b', 1, true, { x: 1 }], [{ x: 1 }]],
    ['b', 'a', 1, { x: 1 }],
  ],
  ['map_merge', [{ a: 1, b: 2 }, null, { a: 3 }], { a: 3, b: 2 }],
  ['map_merge', [], {}],
  [
    'map_replace',
    [
      { a: 'x', b: 'y' },
      { keys: { a: 'A' }, values: { y: 'Y' } },
    ],
    { A: 'x', b: 'Y' },
  ],
  ['map_replace', [{ a: ['x'] }, {}], { a: ['x'] }],
  ['map_replace', [{ a: 1 }, { keys: { a: 'a' } }], { a: 1 }],
  ['repeat', { template: 'x-%a%', for_each: { '%a%': ['1', '2'] } }, ['x-1', 'x-2']],
  [
    'repeat',
    { template: { '%a%': ['%b%', 3] }, for_each: { '%a%': ['1', '2'], '%b%': ['x', 'y'] } },
    [{ 1: ['x', 3] }, { 1: ['y', 3] }, { 2: ['x', 3] }, { 2: ['y', 3] }],
  ],
  [
    'repeat',
    { template: '%a%%b%', for_each: { '%a%': ['1', '2'], '%b%': ['x', 'y'] }, permutations: false },
    ['1x', '2y'],
  ],
  ['repeat', { template: '%a%', for_each: { '%a%': { k: 'v' } } }, ['k']],
  ['repeat', { template: '%a%', for_each: { '%a%': null } }, []],
  ['repeat', { template: 'a', for_each: { a: null, b: ['1'] }, permutations: false }, []],
  ['repeat', { template: '%a%', for_each: { '%a%': ['1'] } }, ['1'], '2015-04-30'],
  ['digest', ['sha256', 'abc'], 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['digest', ['MD5', 'é'], '3406877694691ddd1dfb0aca54681407'],
  ['str_split', [',', 'a,b,c'], ['a', 'b', 'c']],
  ['str_split', [',', 'a,b,c', 1], 'b'],
  ['str_split', [',', 'a,b,c', '0'], 'a'],
  ['str_split', [',', null], null],
  ['contains', ['a', ['a', 'b']], true],
  ['contains', [{ x: [1] }, [{ x: [true] }]], true],
  ['contains', ['c', 'abc'], true],
  ['contains', ['c', []], false],
  [
    'filter',
    [
      ['a', null],
      ['a', 'b', null],
    ],
    ['b'],
  ],
  ['filter', [null, ['a']], ['a']],
  ['filter', [['a'], null], null],
  [
    'make_url',
    {
      scheme: 'http',
      host: 'example.com',
      port: 80,
      path: '/a b',
      query: { 'k&': 'v w', p: '/' },
      fragment: 'f',
    },
    'http://example.com:80/a%20b?k%26=v+w&p=/#f',
  ],
  [
    'make_url',
    { scheme: 'https', username: 'u@', password: 'p:', host: '::1', port: '443' },
    'https://u%40:p%3A@[::1]:443',
  ],
  ['make_url', { scheme: 'ftp', host: '[fe80::1]', path: 'x' }, 'ftp://[fe80::1]/x'],
  ['make_url', { scheme: 'file', path: '/etc/hosts' }, 'file:///etc/hosts'],
  ['make_url', { path: 'a', query: {} }, 'a'],
  ['Fn::Select', [1, ['a', 'b']], 'b', OLD],
  ['Fn::Select', ['0', '["a"]'], 'a', OLD],
  ['Fn::Select', ['5', ['a']], '', OLD],
  ['Fn::Select', ['k', { k: 'v' }], 'v', OLD],
  ['Fn::Select', ['k', '{"k": "v"}'], 'v', '2015-04-30'],
  ['Fn::Select', ['k', ''], '', OLD],
  ['Fn::Select', ['k', 'null'], '', OLD],
  ['Fn::Split', [',', 'a,b'], ['a', 'b'], OLD],
  ['Fn::Base64', 'text', 'text', OLD],
  [
    'Fn::MemberListToMap',
    ['Name', 'Value', ['.member.1.Name=k', '.member.1.Value=v=w', '.member.2.Name=l', 'x=y']],
    { k: 'v=w' },
    OLD,
  ],
];

const REFUSED: readonly Refusal[] = [
  ['str_replace', 'x', 'outputs.o.value.str_replace: : Arguments to "str_replace" must be a map'],
  ['str_replace', { template: 'x' }, '"str_replace" syntax should be'],
  ['str_replace', { template: 'x', params: [] }, '"str_replace" parameters must be a mapping'],
  ['str_replace', { template: [], params: {} }, '"str_replace" template must be a string'],
  ['str_replace', { template: 'x', params: { '': 1 } }, 'param placeholders must not be empty'],
  [
    'str_replace',
    { template: 'a', params: { a: [] } },
    'params must be strings or numbers, param a is a list',
    OLD,
  ],
  [
    'str_replace_strict',
    { template: 'a', params: { b: 1, cc: 2 } },
    'The following params were not found in the template: cc,b',
  ],
  [
    'str_replace_vstrict',
    { template: 'a', params: { a: null } },
    'str_replace_vstrict has an undefined or empty value for param a',
  ],
  [
    'str_replace_vstrict',
    { template: 'a', params: { a: {} } },
    'must be a defined non-empty value',
  ],
  ['list_join', [','], 'Incorrect arguments to "list_join" should be'],
  ['list_join', [',', 'x'], '"list_join" must operate on a list'],
  ['list_join', [1, ['x']], '"list_join" delimiter must be a string'],
  ['list_join', [',', [1]], 'Items to join must be strings, not a number'],
  ['list_join', [',', ['a'], ['b']], 'Incorrect arguments', OLD],
  ['list_concat', [['a'], 'b'], 'Items to concat must be lists'],
  ['map_merge', [{}, 1], 'Items to merge must be maps'],
  ['map_merge', { a: 1 }, 'Incorrect arguments to "map_merge"'],
  ['map_replace', [{ a: 1 }], 'Incorrect arguments to "map_replace"'],
  [
    'map_replace',
    [{ a: 1, b: 2 }, { keys: { a: 'b' } }],
    'key replacement b collides with a key in the input map',
  ],
  [
    'map_replace',
    [{ a: 1, b: 2 }, { keys: { a: 'c', b: 'c' } }],
    'key replacement c collides with a key in the output map',
  ],
  ['map_replace', [{}, { other: {} }], 'Incorrect arguments'],
  ['repeat', { template: 'x' }, '"repeat" syntax should be'],
  ['repeat', { template: 'x', for_each: {} }, 'must contain a map'],
  ['make_url', { scheme: null }, 'The "scheme" argument to "make_url" must be a string'],
  ['Fn::MemberListToMap', ['a', 'b', ['x']], 'Member list items must be strings', OLD],
  [
    'repeat',
    { template: 'x', for_each: [] },
    'The "for_each" argument to "repeat" must contain a map',
  ],
  ['repeat', { template: 'x', for_each: { a: 'b' } }, 'must be lists or maps, not a string'],
  ['repeat', { template: 'x', for_each: { a: {} } }, 'must be lists, not a map', '2015-04-30'],
  [
    'repeat',
    { template: 'x', for_each: { a: {} }, permutations: false },
    'must be lists, not a map',
  ],
  [
    'repeat',
    { template: 'x', for_each: { a: [], b: ['1'] }, permutations: false },
    'the length of for_each values should be equal',
  ],
  [
    'repeat',
    { template: 'x', for_each: { a: [] }, permutations: 'x' },
    '"permutations" should be boolean',
  ],
  ['repeat', { template: 'x', for_each: { a: [1] } }, 'one of "a" is a number'],
  ['digest', ['sha256'], 'Function "digest" usage'],
  ['digest', ['sha256', 1], 'must be a list of strings'],
  ['digest', ['crc', 'x'], 'Algorithm must be one of md5'],
  ['digest', ['md5', '€'], 'Latin-1'],
  ['str_split', 'a', 'Incorrect arguments to "str_split"'],
  ['str_split', [',', 'a,b', 2], 'Incorrect index to "str_split" should be between 0 and 1'],
  ['str_split', [',', 'a', 'x'], 'Incorrect index'],
  ['contains', ['a'], 'must be of the form: [value1, [value1, value2]]'],
  ['contains', ['a', { a: 1 }], 'Second argument to "contains" should be a sequence.'],
  [
    'filter',
    [[]],
    'expected 2 arguments of the form [values, sequence] but got 1 arguments instead',
  ],
  ['filter', [['a'], 'b'], '"filter" only works with lists'],
  ['filter', ['a', ['b']], '"filter" filters a list of values'],
  ['make_url', 'x', 'must be a map'],
  ['make_url', { foo: 1 }, 'Invalid arguments to "make_url": foo'],
  ['make_url', { host: 1 }, 'The "host" argument to "make_url" must be a string'],
  ['make_url', { port: 'x' }, 'Invalid URL port for make_url: it is not a number'],
  ['make_url', { port: 65536 }, 'Invalid URL port 65536, must be in range 1-65535'],
  ['make_url', { scheme: 'a:' }, 'should not contain'],
  ['make_url', { query: 'x' }, 'The "query" argument to "make_url" must be a map'],
  ['Fn::Select', ['a', ['b']], 'Index to "Fn::Select" must be an integer', OLD],
  ['Fn::Select', [1, { a: 1 }], 'Index to "Fn::Select" must be a string', OLD],
  ['Fn::Select', [1, 'x'], 'selects from a list or a map', OLD],
  ['Fn::Split', 'x', 'Incorrect arguments', OLD],
  ['Fn::Split', [',', 1], 'String to split must be string', OLD],
  ['Fn::Base64', [], 'argument must be a string', OLD],
  ['Fn::Replace', [{}], 'Incorrect arguments', OLD],
  ['Fn::MemberListToMap', ['Name', 'Value'], 'Incorrect arguments', OLD],
  ['Fn::MemberListToMap', [1, 'Value', []], 'Key Name must be a string', OLD],
  ['Fn::MemberListToMap', ['Name', 'Value', [1]], 'Member list items must be strings', OLD],
];

describe('functions', () => {
  it.each(CASES)('%s of %j gives %j', (...[name, argument, result, version]) => {
    expect(resultOf({ [name]: argument }, version)).toEqual(result);
  });

  it.each(CASES)('%s of %j gives %j with parts from resources', (...one) => {
    expect(lateResultOf(one)).toEqual(one[2]);
  });

  it.each(REFUSED)('%s refuses %j: %s', (...[name, argument, message, version]) => {
    expect(() => resultOf({ [name]: argument }, version)).toThrow(message);
  });

  it('are plain values in versions without them', () => {
    expect(resultOf({ filter: [1] }, '2016-10-14')).toEqual({ filter: [1] });
    expect(resultOf({ equals: [1, 1] })).toEqual({ equals: [1, 1] });
    expect(resultOf({ 'Fn::FindInMap': [] })).toEqual({ 'Fn::FindInMap': [] });
    expect(resultOf({ str_split: 1, other: 2 })).toEqual({ str_split: 1, other: 2 });
  });

  it('are limited in their output', () => {
    const many = Array.from({ length: 100 }, () => 'a'.repeat(1000));
    const each = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, many]));
    const large = 'x'.repeat(100_000);

    expect(() => resultOf({ repeat: { template: 'a', for_each: each } })).toThrow(
      'The functions of the template make more than',
    );
    expect(() =>
      resultOf({ str_replace: { template: 'a'.repeat(1000), params: { a: large } } }),
    ).toThrow('make more than');
    expect(() => resultOf({ list_join: [large, Array.from({ length: 1000 }, () => '')] })).toThrow(
      'make more than',
    );
  });
});
