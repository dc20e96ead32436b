import { describe, expect, it } from '@jest/globals';
import { CountingPasswords } from '../../identity.fixture.js';
import { HashQueue, TooManyLoginsError, watchMainThread } from './password-hasher.js';

describe('PasswordHasher', () => {
  const passwords = new CountingPasswords();

  async function runsOf(verify: () => Promise<boolean>): Promise<number> {
    const before = passwords.verifications;
    await verify();
    return passwords.verifications - before;
  }

  it('verifies the password that it hashed, and no other', async () => {
    const hashed = await passwords.hash('right');
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
    expect(await passwords.verify(hashed, 'right')).toBe(true);
    expect(await passwords.verify(hashed, 'wrong')).toBe(false);
  });

  it('does the same work for a user without a password as for one with', async () => {
    const hashed = await passwords.hash('right');
    expect(await runsOf(() => passwords.verify(hashed, 'wrong'))).toBe(1);
    expect(await runsOf(() => passwords.verify(null, 'wrong'))).toBe(1);
    expect(await runsOf(() => passwords.verify(undefined, 'wrong'))).toBe(1);
  });

  it('lets nobody in where there is no hash', async () => {
    expect(await passwords.verify(undefined, '')).toBe(false);
  });
});

/** Work that ends on request, and the order in which it began. */
class Runs {
  readonly began: string[] = [];
  readonly #ends: (() => void)[] = [];

  constructor(private readonly queue: HashQueue) {}

  start(from: string, name = from): Promise<string> {
    return this.queue.run(from, async () => {
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

describe('the queue of argon2', () => {
  it('runs as many at once as it may, and the others in turn', async () => {
    const runs = new Runs(new HashQueue(() => 2));
    const all = ['a', 'b', 'c'].map((name) => runs.start('here', name));
    expect(runs.began).toEqual(['a', 'b']);
    for (const _ of all) await runs.endOne();
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
  });

  it('runs fewer while it may run fewer, and more again', async () => {
    let limit = 3;
    const runs = new Runs(new HashQueue(() => limit));
    const all = Array.from({ length: 8 }, (_, at) => runs.start('here', String(at)));
    expect(runs.began).toHaveLength(3);
    limit = 1;
    await runs.endOne();
    await runs.endOne();
    expect(runs.began).toHaveLength(3);
    await runs.endOne();
    expect(runs.began).toHaveLength(4);
    limit = 3;
    await runs.endOne();
    expect(runs.began).toHaveLength(7);
    for (const _ of all) await runs.endOne();
    expect(await Promise.all(all)).toHaveLength(8);
  });

  it('lets one address wait for one run of another, however many that one sends', async () => {
    const runs = new Runs(new HashQueue(() => 1));
    const flood = Array.from({ length: 50 }, () => runs.start('flood'));
    const good = runs.start('good');
    await runs.endOne();
    await runs.endOne();
    expect(runs.began).toEqual(['flood', 'flood', 'good']);
    for (const _ of flood) await runs.endOne();
    await Promise.all([...flood, good]);
  });

  it('refuses what would wait too long, of one address and of all', async () => {
    const runs = new Runs(new HashQueue(() => 1));
    const started = Array.from({ length: 129 }, () => runs.start('flood'));
    await expect(runs.start('flood')).rejects.toEqual(new TooManyLoginsError());
    for (let at = 0; at < 384; at += 1) started.push(runs.start(`address ${at}`));
    await expect(runs.start('another')).rejects.toMatchObject({
      kind: 'rate-limited',
      retryAfter: 1,
    });
    for (const _ of started) await runs.endOne();
    expect(await Promise.all(started)).toHaveLength(513);
  });

  it('goes on after work that failed', async () => {
    const queue = new HashQueue(() => 1);
    await expect(queue.run('', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(queue.run('', () => Promise.resolve(1))).resolves.toBe(1);
  });
});

/** Blocks the event loop. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('a main thread that only works is busy', () => {
  const isBusy = watchMainThread();
  expect(isBusy()).toBe(false);
  work(150);
  expect(isBusy()).toBe(true);
});
