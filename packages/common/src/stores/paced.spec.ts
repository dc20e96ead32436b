import { describe, expect, it } from '@jest/globals';
import { paced } from './paced.js';

async function* chunks(count: number): AsyncIterable<Buffer> {
  for (let at = 0; at < count; at += 1) yield await Promise.resolve(Buffer.alloc(1_000));
}

async function read(from: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of from) bytes += chunk.length;
  return bytes;
}

describe('paced', () => {
  it('lets no more through than it may in the time', async () => {
    const began = performance.now();
    expect(await read(paced(chunks(20), 100_000, new AbortController().signal))).toBe(20_000);
    expect(performance.now() - began).toBeGreaterThan(190);
  });

  it('does not hold up what is slower by itself', async () => {
    // Were each held up for as long as one timer takes, the test would not live to see the end.
    const many = 200_000;
    const bytes = await read(paced(chunks(many), 1e12, new AbortController().signal));
    expect(bytes).toBe(many * 1_000);
  });

  it('ends at once when it is stopped', async () => {
    const stop = new AbortController();
    const reading = read(paced(chunks(2), 1, stop.signal));
    stop.abort();
    await expect(reading).rejects.toThrow('aborted');
  });
});
