import { describe, expect, it } from '@jest/globals';
import { runConcurrently } from './run-concurrently.js';

const NEVER = new AbortController().signal;
const ITEMS = [0, 1, 2, 3, 4, 5, 6];

describe('concurrent work', () => {
  it('continues beside a slow item', async () => {
    const begun: number[] = [];
    await runConcurrently(ITEMS, { limit: 2, stopping: NEVER }, (item) => {
      begun.push(item);
      if (item > 0) return Promise.resolve();
      // Ends only once all others have begun.
      return new Promise((resolve) => {
        const look = (): void => {
          if (begun.length === ITEMS.length) resolve();
          else setImmediate(look);
        };
        look();
      });
    });
    expect(begun).toEqual(ITEMS);
  });

  it('does not exceed its limit', async () => {
    let [now, most] = [0, 0];
    await runConcurrently(ITEMS, { limit: 3, stopping: NEVER }, async () => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
    });
    expect(most).toBe(3);
  });

  it('begins nothing after a stop', async () => {
    const stopping = new AbortController();
    const begun: number[] = [];
    await runConcurrently(ITEMS, { limit: 1, stopping: stopping.signal }, (item) => {
      begun.push(item);
      if (item === 2) stopping.abort();
      return Promise.resolve();
    });
    expect(begun).toEqual([0, 1, 2]);
  });

  it('reports a failure after running items have ended', async () => {
    const ended: number[] = [];
    const working = runConcurrently([0, 1], { limit: 2, stopping: NEVER }, async (item) => {
      if (item === 0) throw new Error('the database is away');
      await new Promise(setImmediate);
      ended.push(item);
    });
    await expect(working).rejects.toThrow('the database is away');
    expect(ended).toEqual([1]);
  });
});
