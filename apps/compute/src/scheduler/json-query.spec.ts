import { describe, expect, it } from '@jest/globals';
import { candidate } from './candidate.fixture.js';
import { faultOfQuery, meetsQuery } from './json-query.js';

const host = candidate('one', { usedMemoryMb: 96 });

describe('meetsQuery', () => {
  it.each([
    [['=', '$host', 'one'], true],
    [['=', '$host', 'two'], false],
    [['<', 1, 2, 3], true],
    [['<', 2, 1], false],
    [['>', 3, 2], true],
    [['<=', 2, 2], true],
    [['>=', '$free_ram_mb', 4000], true],
    [['>=', '$free_ram_mb', 4001], false],
    [['in', '$host', 'one', 'two'], true],
    [['in', '$host', 'two'], false],
    [['not', ['=', '$host', 'two']], true],
    [['not', ['=', '$host', 'one']], false],
    [['or', ['=', 1, 2], ['=', 1, 1]], true],
    [['and', ['=', 1, 2], ['=', 1, 1]], false],
    [['=', '$cpu_info.arch', 'x86_64'], true],
    [['=', '$cpu_info.none', 'x'], false],
    [['=', '$none'], false],
    [['=', 1], false],
    [[], true],
  ])('%j is %s', (query, expected) => {
    expect(meetsQuery(host, query)).toBe(expected);
  });
});

describe('faultOfQuery', () => {
  it('finds none in a valid condition', () => {
    expect(faultOfQuery(['and', ['=', 1, 1], ['not', ['>', '$vcpus_used', 3]]])).toBeUndefined();
  });

  it.each([
    ['text', 'must be a list'],
    [{}, 'must be a list'],
    [['like', 1, 2], 'must begin with one of =, <, >, <=, >=, in, not, or, and'],
    [['constructor', 1], 'must begin with one of =, <, >, <=, >=, in, not, or, and'],
    [['and', [1]], 'must begin with one of =, <, >, <=, >=, in, not, or, and'],
  ])('finds the fault of %j', (query, fault) => {
    expect(faultOfQuery(query)).toBe(fault);
  });

  it('refuses excessive depth', () => {
    let query: unknown[] = ['=', 1, 1];
    for (let depth = 0; depth < 40; depth++) query = ['not', query];
    expect(faultOfQuery(query)).toBe('is nested too deep');
  });
});
