import { describe, expect, it } from '@jest/globals';
import { SharedWork } from './shared-work.js';

describe('SharedWork', () => {
  it('gives a failure to all who shared it, and runs again for the next', async () => {
    const shared = new SharedWork();
    let runs = 0;
    const fail = (): Promise<void> => {
      runs += 1;
      return Promise.reject(new Error(`run ${runs}`));
    };
    const outcomes = await Promise.allSettled([shared.run('a', fail), shared.run('a', fail)]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    expect(runs).toBe(1);
    await expect(shared.run('a', fail)).rejects.toThrow('run 2');
  });
});
