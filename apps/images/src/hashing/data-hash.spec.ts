import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DataHash } from './data-hash.js';
import type { DataDigests } from './hash-thread.js';

function digestsOf(data: Buffer): DataDigests {
  const digest = (algorithm: string): string => createHash(algorithm).update(data).digest('hex');
  return { md5: digest('md5'), sha512: digest('sha512') };
}

async function hashed(data: Buffer, chunkBytes: number): Promise<DataDigests> {
  const hash = new DataHash();
  for (let at = 0; at < data.length; at += chunkBytes) {
    await hash.update(data.subarray(at, at + chunkBytes));
  }
  return hash.digest();
}

describe('DataHash', () => {
  it.each([
    ['nothing', 0, 1],
    ['a few bytes', 10, 3],
    ['exactly one block', 256 * 1024, 64 * 1024],
    ['one block and a byte', 256 * 1024 + 1, 64 * 1024],
    ['many blocks, more than are made', 9_000_001, 65_536],
    ['chunks larger than a block', 5_000_000, 2_000_000],
  ])('is that of all bytes for %s', async (_, bytes, chunkBytes) => {
    const data = randomBytes(bytes);
    expect(await hashed(data, chunkBytes)).toEqual(digestsOf(data));
  });

  it('keeps concurrent streams apart', async () => {
    const all = Array.from({ length: 7 }, (_, at) => randomBytes(3_000_000 + at));
    const found = await Promise.all(all.map((data) => hashed(data, 70_000)));
    expect(found).toEqual(all.map(digestsOf));
  });

  it('has copied each chunk when update resolves', async () => {
    const data = randomBytes(2_000_000);
    const wanted = digestsOf(data);
    const hash = new DataHash();
    await hash.update(data);
    data.fill(0);
    expect(await hash.digest()).toEqual(wanted);
  });

  it('may be ended midway, and during an update', async () => {
    const hash = new DataHash();
    const update = hash.update(randomBytes(20_000_000));
    hash.end();
    await expect(update).resolves.toBeUndefined();
    hash.end();
    const data = randomBytes(1_000_000);
    expect(await hashed(data, 100_000)).toEqual(digestsOf(data));
  });
});
