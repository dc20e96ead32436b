import type { LookupAddress, LookupOptions } from 'node:dns';
import { describe, expect, it } from '@jest/globals';
import { guardedLookup, type Resolve } from './guarded-lookup.js';
import { isPublicAddress } from './public-address.js';

class RefusedError extends Error {}
const refused = (host: string): Error => new RefusedError(host);

const ADDRESSES: LookupAddress[] = [
  { address: '10.0.0.1', family: 4 },
  { address: '8.8.8.8', family: 4 },
  { address: '::1', family: 6 },
  { address: '2606:4700:4700::1111', family: 6 },
];

function resolving(addresses: LookupAddress[]): Resolve {
  return (_host, _options, callback) => callback(null, addresses);
}

/** What the connection is told: an error, or the addresses that it may take. */
function lookup(resolve: Resolve, options: LookupOptions): Promise<unknown[]> {
  return new Promise((told) => {
    guardedLookup(isPublicAddress, refused, resolve)('images.example', options, (...answer) =>
      told(answer),
    );
  });
}

describe('guardedLookup', () => {
  it('returns the permitted addresses', async () => {
    expect(await lookup(resolving(ADDRESSES), { all: true })).toEqual([
      null,
      [ADDRESSES[1], ADDRESSES[3]],
    ]);
  });

  it('returns a single address on request', async () => {
    expect(await lookup(resolving(ADDRESSES), {})).toEqual([null, '8.8.8.8', 4]);
  });

  it.each([
    ['none of its addresses is', resolving([{ address: '127.0.0.1', family: 4 }])],
    ['it has none', resolving([])],
    ['it is not there', (_host, _options, callback) => callback(new Error('gone'), [])],
  ])('gives no address where %s', async (_, resolve) => {
    for (const all of [true, false]) {
      const [error, address] = await lookup(resolve, { all });
      expect(error).toBeInstanceOf(RefusedError);
      expect(address).toBe('');
    }
  });

  it('runs at most two lookups at once', () => {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const slow: Resolve = (host, _options, callback) => {
      asked.push(host);
      answers.push(() => callback(null, ADDRESSES));
    };
    const guarded = guardedLookup(isPublicAddress, refused, slow);
    const told: string[] = [];
    for (const host of ['a', 'b', 'c', 'd']) guarded(host, {}, () => told.push(host));
    expect(asked).toEqual(['a', 'b']);
    answers[1]?.();
    expect([asked, told]).toEqual([['a', 'b', 'c'], ['b']]);
    answers[0]?.();
    answers[2]?.();
    answers[3]?.();
    expect([asked, told]).toEqual([
      ['a', 'b', 'c', 'd'],
      ['b', 'a', 'c', 'd'],
    ]);
  });
});
