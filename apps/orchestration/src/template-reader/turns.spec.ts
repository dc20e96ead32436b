import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { Turns } from './turns.js';

/** Tasks that end on demand. */
class Works {
  readonly begun: string[] = [];
  readonly #ends: (() => void)[] = [];

  readonly begin = (name: string): Promise<void> => {
    this.begun.push(name);
    return new Promise((resolve) => this.#ends.push(resolve));
  };

  async endOne(): Promise<void> {
    this.#ends.shift()?.();
    await setImmediate();
  }
}

describe('Turns', () => {
  it('limits concurrency, and callers take turns', async () => {
    const works = new Works();
    const turns = new Turns(2);
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
    const all = names.map((name) => turns.run(name.charAt(0), () => works.begin(name)));
    expect(works.begun).toEqual(['a1', 'a2']);
    for (const _ of names) await works.endOne();
    await Promise.all(all);
    expect(works.begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2']);
  });

  it('continues after a failure', async () => {
    const turns = new Turns(1);
    const failing = turns.run('a', () => Promise.reject(new Error('no')));
    const next = turns.run('a', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });
});
