import { describe, expect, it } from '@jest/globals';
import { SpeedWatch } from './web-download.js';

/** Each chunk as the milliseconds that it was waited for, and its bytes. */
type Chunk = readonly [waitedMs: number, bytes: number];

/** The number of the first chunk that is too slow; -1 where none is. */
function tooSlowAt(chunks: readonly Chunk[], bytesPerSecond = 100): number {
  const watch = new SpeedWatch({ bytesPerSecond, overSeconds: 10 });
  return chunks.findIndex(([waitedMs, bytes]) => watch.isTooSlow(waitedMs, bytes));
}

describe('SpeedWatch', () => {
  it.each<[string, readonly Chunk[], number]>([
    ['bears a server that is just fast enough', [[10_000, 1_000]], -1],
    ['finds one that is not', [[10_000, 999]], 0],
    [
      'waits for as long as it averages over',
      [
        [9_999, 1],
        [1, 1],
      ],
      1,
    ],
    [
      'bears a pause after many bytes',
      [
        [1, 2_000],
        [9_999, 1],
      ],
      -1,
    ],
    [
      'forgets what was fast once',
      [
        [10_000, 9_000],
        [5_000, 1],
        [5_000, 1],
      ],
      2,
    ],
    [
      'does not count the time for which nobody reads',
      [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
      -1,
    ],
  ])('%s', (_, chunks, at) => {
    expect(tooSlowAt(chunks)).toBe(at);
  });

  it('bears everything where there is no limit', () => {
    expect(tooSlowAt([[60_000, 0]], 0)).toBe(-1);
  });
});
