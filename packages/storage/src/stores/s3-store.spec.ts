import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { partBytes, partsOf } from './s3-store.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

async function* chunksOf(data: Buffer): AsyncIterable<Buffer> {
  for (let at = 0; at < data.length; at += 700_001) {
    yield await Promise.resolve(data.subarray(at, at + 700_001));
  }
}

async function parts(data: Buffer): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for await (const part of partsOf(chunksOf(data), GIB)) found.push(part);
  return found;
}

describe('partBytes', () => {
  it.each([
    ['a small object', GIB],
    ['a terabyte', 1024 * GIB],
    ['the largest object of S3', 5 * 1024 * GIB],
  ])('makes ten thousand parts hold %s', (_, limit) => {
    let sum = 0;
    for (let number = 1; number <= 10_000; number += 1) sum += partBytes(number, limit);
    expect(sum).toBeGreaterThanOrEqual(limit);
  });

  it('stays within the limits of S3, and begins small', () => {
    const limit = Number.MAX_SAFE_INTEGER;
    expect(partBytes(1, limit)).toBeLessThanOrEqual(9 * MIB);
    expect(partBytes(1, limit)).toBeGreaterThanOrEqual(5 * MIB);
    expect(partBytes(10_000, limit)).toBeLessThanOrEqual(5 * GIB);
  });
});

describe('partsOf', () => {
  it('has all bytes in their order, in full parts and the rest', async () => {
    const data = randomBytes(17 * MIB);
    const found = await parts(data);
    expect(found.map(({ length }) => length / MIB)).toEqual([8, 8, 1]);
    expect(Buffer.concat(found).equals(data)).toBe(true);
  });

  it('has no part that is empty', async () => {
    expect(await parts(randomBytes(8 * MIB))).toHaveLength(1);
    expect(await parts(Buffer.alloc(0))).toEqual([]);
  });
});
