import { describe, expect, it } from '@jest/globals';
import { KeyedLock } from './keyed-lock.js';

describe('KeyedLock', () => {
  it('runs work on one key in sequence, and on others in parallel', async () => {
    const lock = new KeyedLock();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const seen: string[] = [];
    const first = lock.run('a', async () => {
      await held;
      seen.push('first of a');
    });
    const second = lock.run('a', () => Promise.resolve(seen.push('second of a')));
    await lock.run('b', () => Promise.resolve(seen.push('only of b')));
    expect(seen).toEqual(['only of b']);
    release();
    await Promise.all([first, second]);
    expect(seen).toEqual(['only of b', 'first of a', 'second of a']);
  });

  it('reports a failure only to its caller', async () => {
    const lock = new KeyedLock();
    const failed = lock.run('a', () => Promise.reject(new Error('mine')));
    const next = lock.run('a', () => Promise.resolve('well'));
    await expect(failed).rejects.toThrow('mine');
    await expect(next).resolves.toBe('well');
  });
});
