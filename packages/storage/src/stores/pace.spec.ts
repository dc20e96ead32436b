import { describe, expect, it } from '@jest/globals';
import { Pace } from './pace.js';

const { signal } = new AbortController();

async function* chunks(count: number): AsyncIterable<Buffer> {
  for (let at = 0; at < count; at += 1) yield await Promise.resolve(Buffer.alloc(1_000));
}

async function* oneChunkOf(bytes: number): AsyncIterable<Buffer> {
  yield await Promise.resolve(Buffer.alloc(bytes));
}

async function read(from: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of from) bytes += chunk.length;
  return bytes;
}

describe('Pace', () => {
  it('limits the rate', async () => {
    const began = performance.now();
    expect(await read(new Pace(100_000).over(chunks(20), signal))).toBe(20_000);
    expect(performance.now() - began).toBeGreaterThan(190);
  });

  it('counts small pieces together', async () => {
    const pace = new Pace(100_000);
    const began = performance.now();
    for (let file = 0; file < 50; file += 1) {
      await read(pace.over(oneChunkOf(400), signal));
    }
    expect(performance.now() - began).toBeGreaterThan(190);
  });

  it('does not slow down a slow source further', async () => {
    // Were each held up for as long as one timer takes, the test would not live to see the end.
    const many = 200_000;
    const bytes = await read(new Pace(1e12).over(chunks(many), signal));
    expect(bytes).toBe(many * 1_000);
  });

  it('ends at once when it is stopped', async () => {
    const stop = new AbortController();
    const reading = read(new Pace(1).over(chunks(2), stop.signal));
    stop.abort();
    await expect(reading).rejects.toThrow('aborted');
  });
});
