import { describe, expect, it } from '@jest/globals';
import { sideBySide } from './side-by-side.js';

const NEVER = new AbortController().signal;
const ITEMS = [0, 1, 2, 3, 4, 5, 6];

describe('work side by side', () => {
  it('goes on beside one that takes long', async () => {
    const begun: number[] = [];
    await sideBySide(ITEMS, { atOnce: 2, stopping: NEVER }, (item) => {
      begun.push(item);
      if (item > 0) return Promise.resolve();
      // Ends only once all the others have begun.
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

  it('is no more at once than it may be', async () => {
    let [now, most] = [0, 0];
    await sideBySide(ITEMS, { atOnce: 3, stopping: NEVER }, async () => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
    });
    expect(most).toBe(3);
  });

  it('begins nothing more once it is stopped', async () => {
    const stopping = new AbortController();
    const begun: number[] = [];
    await sideBySide(ITEMS, { atOnce: 1, stopping: stopping.signal }, (item) => {
      begun.push(item);
      if (item === 2) stopping.abort();
      return Promise.resolve();
    });
    expect(begun).toEqual([0, 1, 2]);
  });

  it('that fails says so after what is under way has ended', async () => {
    const ended: number[] = [];
    const working = sideBySide([0, 1], { atOnce: 2, stopping: NEVER }, async (item) => {
      if (item === 0) throw new Error('the database is away');
      await new Promise(setImmediate);
      ended.push(item);
    });
    await expect(working).rejects.toThrow('the database is away');
    expect(ended).toEqual([1]);
  });
});
