import { describe, expect, it } from '@jest/globals';
import { CoalescedReads } from './coalesced-reads.js';

/** Reads that end when told to. */
class Reads {
  began = 0;
  readonly #ends: ((value: number | Error) => void)[] = [];
  readonly #coalesced = new CoalescedReads<number>();

  read(key = 'key'): Promise<number> {
    return this.#coalesced.read(key, () => {
      this.began += 1;
      return new Promise((resolve, reject) =>
        this.#ends.push((value) => (value instanceof Error ? reject(value) : resolve(value))),
      );
    });
  }

  async end(value: number | Error): Promise<void> {
    this.#ends.shift()?.(value);
    await new Promise(setImmediate);
  }
}

describe('coalesced reads', () => {
  it('begin one read for all who arrive while another runs', async () => {
    const reads = new Reads();
    const all = [reads.read(), reads.read(), reads.read()];
    expect(reads.began).toBe(1);
    await reads.end(1);
    expect(reads.began).toBe(2);
    await reads.end(2);
    expect(await Promise.all(all)).toEqual([1, 2, 2]);
  });

  it('never return data read before the request', async () => {
    const reads = new Reads();
    void reads.read();
    void reads.read();
    await reads.end(1);
    const late = reads.read();
    await reads.end(2);
    expect(reads.began).toBe(3);
    await reads.end(3);
    expect(await late).toBe(3);
    const later = reads.read();
    await reads.end(4);
    expect(await later).toBe(4);
  });

  it('fail for all sharers, and for nobody else', async () => {
    const reads = new Reads();
    const all = Promise.allSettled([reads.read(), reads.read(), reads.read()]);
    await reads.end(new Error('first'));
    await reads.end(new Error('second'));
    expect((await all).map((one) => (one as PromiseRejectedResult).reason as Error)).toEqual(
      ['first', 'second', 'second'].map((message) => new Error(message)),
    );
    const again = reads.read();
    await reads.end(5);
    expect(await again).toBe(5);
  });

  it('of another key do not wait', () => {
    const reads = new Reads();
    void reads.read('one');
    void reads.read('other');
    expect(reads.began).toBe(2);
  });
});
