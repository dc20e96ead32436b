import { describe, expect, it } from '@jest/globals';
import { excessOf, MAX_DEPTH } from './json-bounds.js';

const objectOf = (members: number): string =>
  `{${Array.from({ length: members }, (_, at) => `"k${at}":1`).join(',')}}`;

/** Different ones, each in an object of its own. */
const smallOf = (count: number): string =>
  `[${Array.from({ length: count }, (_, at) => `{"k${at}":1}`).join(',')}]`;

/** A thousand different ones in each object. */
const namesOf = (objects: number): string =>
  `[${'abcdefgh'
    .slice(0, objects)
    .split('')
    .map((one) => objectOf(1_000).replaceAll('k', one))
    .join(',')}]`;

describe('a body', () => {
  it.each([
    ['as many members as may be', objectOf(1_000)],
    ['as many items', `[${'1,'.repeat(4_999)}1]`],
    [
      'as many values',
      `[${Array(9)
        .fill(`[${'1,'.repeat(4_999)}1]`)
        .join(',')}]`,
    ],
    ['as many levels', '['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH)],
    ['marks within strings', JSON.stringify({ a: ',[{'.repeat(50_000) })],
    ['escapes within strings', JSON.stringify({ a: '\\",\\\\"'.repeat(50_000) })],
    ['many objects, one after the other', `[${Array(40).fill(objectOf(1_000)).join(',')}]`],
    [
      'as many objects and lists',
      `[${Array(2)
        .fill(`[${'{},'.repeat(4_997)}[]]`)
        .join(',')}]`,
    ],
    ['as many names', namesOf(1)],
    ['as many names of small objects', smallOf(400)],
    ['more names of them the longer it is', smallOf(500).padEnd(40_000)],
    [
      'as many long texts',
      `[${Array.from({ length: 5_000 }, (_, at) => `"text number ${at}"`).join(',')}]`,
    ],
    ['what is no JSON, which the parser refuses', '{"a": "'],
    ['ends without a beginning', ']}]}'],
  ])('may have %s', (_, text) => {
    expect(excessOf(text)).toBeUndefined();
  });

  it.each([
    ['members', objectOf(1_001), /an object .* more than 1000 members/],
    ['members of an inner object', `{"a":[${objectOf(1_001)}]}`, /more than 1000 members/],
    ['items', `[${'1,'.repeat(5_000)}1]`, /a list .* more than 5000 items/],
    [
      'values',
      `[${Array(11)
        .fill(`[${'1,'.repeat(4_999)}1]`)
        .join(',')}]`,
      /more than 50000 values/,
    ],
    [
      'lists',
      `[${Array(3)
        .fill(`[${'[],'.repeat(4_000)}[]]`)
        .join(',')}]`,
      /more than 10000 objects and lists/,
    ],
    ['names', namesOf(2), /more than 15\d\d different names and short texts/],
    [
      'names of small objects',
      smallOf(450),
      /more than 4\d\d different names outside of objects with 128/,
    ],
    ['levels', '['.repeat(MAX_DEPTH + 1), /deeper than 100 levels/],
    ['levels of objects', '{"a":'.repeat(MAX_DEPTH + 1), /deeper than 100 levels/],
  ])('must not have too many %s', (_, text, message) => {
    expect(excessOf(text)).toMatch(message);
  });

  it('has the bounds of its route', () => {
    expect(excessOf(objectOf(3), { members: 2 })).toMatch('more than 2 members');
    expect(excessOf('[1,2,3]', { values: 2 })).toMatch('more than 2 values');
    expect(excessOf('[[]]', { containers: 1 })).toMatch('more than 1 objects and lists');
    expect(excessOf('["a","b"]', { texts: 1 })).toMatch('more than 1 different names');
    expect(excessOf('{"a":{"b":1}}', { names: 1 })).toMatch('more than 1 different names');
    expect(excessOf('[1,2]', { items: 1 })).toMatch('more than 1 items');
    expect(excessOf(objectOf(2_000), { members: 5_000, texts: 3_000 })).toBeUndefined();
  });
});
