import { describe, expect, it } from '@jest/globals';
import { excessOf, MAX_DEPTH } from './json-bounds.js';

const objectOf = (members: number): string =>
  `{${Array.from({ length: members }, (_, at) => `"k${at}":1`).join(',')}}`;

describe('a body', () => {
  it.each([
    ['as many members as may be', objectOf(1_000)],
    ['as many items', `[${'1,'.repeat(49_000)}1]`],
    ['as many levels', '['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH)],
    ['marks within strings', JSON.stringify({ a: ',[{'.repeat(50_000) })],
    ['escapes within strings', JSON.stringify({ a: '\\",\\\\"'.repeat(50_000) })],
    ['many objects, one after the other', `[${Array(40).fill(objectOf(1_000)).join(',')}]`],
    ['what is no JSON, which the parser refuses', '{"a": "'],
    ['ends without a beginning', ']}]}'],
  ])('may have %s', (_, text) => {
    expect(excessOf(text)).toBeUndefined();
  });

  it.each([
    ['members', objectOf(1_001), /an object .* more than 1000 members/],
    ['members of an inner object', `{"a":[${objectOf(1_001)}]}`, /more than 1000 members/],
    ['items', `[${'1,'.repeat(50_000)}1]`, /more than 50000 values/],
    ['empty lists', `[${'[],'.repeat(50_000)}[]]`, /more than 50000 values/],
    ['levels', '['.repeat(MAX_DEPTH + 1), /deeper than 100 levels/],
    ['levels of objects', '{"a":'.repeat(MAX_DEPTH + 1), /deeper than 100 levels/],
  ])('must not have too many %s', (_, text, message) => {
    expect(excessOf(text)).toMatch(message);
  });

  it('has the bounds of its route', () => {
    expect(excessOf(objectOf(3), { members: 2 })).toMatch('more than 2 members');
    expect(excessOf('[1,2,3]', { values: 2 })).toMatch('more than 2 values');
    expect(excessOf(objectOf(2_000), { members: 5_000 })).toBeUndefined();
  });
});
