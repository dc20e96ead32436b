import { describe, expect, it } from '@jest/globals';
import { FairTurns } from './fair-turns.js';

/** Lists that end when told to. */
class Lists {
  readonly began: string[] = [];
  readonly #ends: (() => void)[] = [];

  constructor(private readonly turns: FairTurns) {}

  read(of: string, name = of): Promise<string> {
    return this.turns.run(of, async () => {
      this.began.push(name);
      await new Promise<void>((resolve) => this.#ends.push(resolve));
      return name;
    });
  }

  async endOne(): Promise<void> {
    this.#ends.shift()?.();
    await new Promise(setImmediate);
  }
}

describe('fair turns', () => {
  it('run a limited number of a project, and the rest in order', async () => {
    const lists = new Lists(fairTurns(2));
    const all = ['a', 'b', 'c', 'd'].map((name) => lists.read('project', name));
    await new Promise(setImmediate);
    expect(lists.began).toEqual(['a', 'b']);
    for (const _ of all) await lists.endOne();
    expect(lists.began).toEqual(['a', 'b', 'c', 'd']);
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('do not delay other projects', async () => {
    const lists = new Lists(fairTurns(1));
    const all = [lists.read('flood'), lists.read('flood'), lists.read('other')];
    await new Promise(setImmediate);
    expect(lists.began).toEqual(['flood', 'other']);
    for (const _ of all) await lists.endOne();
    expect(await Promise.all(all)).toHaveLength(3);
  });

  it('continue after a failed list', async () => {
    const turns = fairTurns(1);
    const failing = turns.run('project', () => Promise.reject(new Error('no')));
    const next = turns.run('project', () => Promise.resolve('read'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('read');
    expect(await turns.run('project', () => Promise.resolve('again'))).toBe('again');
  });

  it('allow more to a lone caller, until another arrives', async () => {
    const lists = new Lists(new FairTurns({ shared: 1, alone: 2 }));
    const all = ['a', 'b', 'c'].map((name) => lists.read('flood', name));
    all.push(lists.read('other'));
    await new Promise(setImmediate);
    expect(lists.began).toEqual(['a', 'b', 'other']);
    await lists.endOne();
    expect(lists.began).toHaveLength(3);
    await lists.endOne();
    expect(lists.began).toEqual(['a', 'b', 'other', 'c']);
    for (const _ of all) await lists.endOne();
    expect(await Promise.all(all)).toHaveLength(4);
  });

  it('allow more again after a while without others', async () => {
    let now = 0;
    const lists = new Lists(new FairTurns({ shared: 1, alone: 2 }, () => now));
    const all = [
      lists.read('other'),
      ...['a', 'b', 'c', 'd'].map((name) => lists.read('flood', name)),
    ];
    await new Promise(setImmediate);
    expect(lists.began).toEqual(['other', 'a']);
    await lists.endOne();
    expect(lists.began).toEqual(['other', 'a']);
    now = 1_001;
    await lists.endOne();
    expect(lists.began).toEqual(['other', 'a', 'b', 'c']);
    for (const _ of all) await lists.endOne();
    expect(await Promise.all(all)).toHaveLength(5);
  });
});

const fairTurns = (most: number): FairTurns => new FairTurns({ shared: most, alone: most });
