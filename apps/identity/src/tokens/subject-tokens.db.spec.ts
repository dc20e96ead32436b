import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { startWidgets, type Widgets } from '@cumulet/common/states/widget.fixture';
import { SnapshotCache } from './subject-tokens.js';
import { inTransaction } from '@cumulet/common/database/transaction';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});
afterAll(() => widgets.stop());

/** The name of a widget, by a cache that counts its reads. */
class Names {
  loads = 0;
  readonly #cache = new SnapshotCache<{ name: string }>(10);

  constructor(private readonly id: string) {}

  async read(during: () => Promise<unknown> = () => Promise.resolve()): Promise<string> {
    const { name } = await this.#cache.read(widgets.ctx, this.id, async () => {
      this.loads += 1;
      const row = await widgets.read(this.id);
      await during();
      return { name: row.name };
    });
    return name;
  }
}

async function namesOf(name: string): Promise<Names & { rename: (to: string) => Promise<void> }> {
  const id = await widgets.insert({ name });
  const rename = async (to: string): Promise<void> => {
    await widgets.ctx.manager.query('UPDATE widgets SET name = $2 WHERE id = $1', [id, to]);
  };
  return Object.assign(new Names(id), { rename });
}

describe('a snapshot cache', () => {
  it('reads once what is asked for twice', async () => {
    const names = await namesOf('name');
    // Other tests commit to the same server, but not all the time.
    await eventually('nothing is read again', async () => {
      await names.read();
      const { loads } = names;
      await names.read();
      return names.loads === loads;
    });
  });

  it('shows a commit at once, whoever made it', async () => {
    const names = await namesOf('before');
    expect(await names.read()).toBe('before');
    await names.rename('after');
    expect(await names.read()).toBe('after');
  });

  it('sees the commit of a transaction that began before what is kept was read', async () => {
    const names = await namesOf('before');
    await inTransaction(widgets.ctx, async (tx) => {
      await tx.manager.query('UPDATE widgets SET name = $1', ['after']);
      expect(await names.read()).toBe('before');
    });
    expect(await names.read()).toBe('after');
  });

  it('does not keep what was changed while it was read', async () => {
    const names = await namesOf('before');
    expect(await names.read(() => names.rename('after'))).toBe('before');
    expect(await names.read()).toBe('after');
  });

  it('does not keep what is older than what another reader has seen', async () => {
    const names = await namesOf('before');
    let first = Promise.resolve('');
    const end = await new Promise<() => void>((isReading) => {
      first = names.read(() => new Promise<void>((resolve) => isReading(resolve)));
    });
    await names.rename('after');
    expect(await names.read()).toBe('after');
    end();
    expect(await first).toBe('before');
    expect(await names.read()).toBe('after');
  });

  it('keeps nothing of a read that failed', async () => {
    const names = await namesOf('name');
    const failed = names.read(() => Promise.reject(new Error('no')));
    await expect(failed).rejects.toThrow('no');
    expect(await names.read()).toBe('name');
  });
});
