import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { eventually } from '@cumulet/testing/settle';
import type { RequestContext } from '../context/request-context.js';
import { fromForeign } from '../errors/foreign-errors.js';
import { startWidgets, Widget, type Widgets } from '../states/widget.fixture.js';
import { transactionLock, withSessionLock } from './advisory-lock.js';
import { preparedRows, selectRow, selectRows } from './rows.js';
import { inTransaction } from './transaction.js';
import { violatesForeignKey, violatesUnique } from './violations.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

async function rename(ctx: RequestContext, id: string, name: string): Promise<void> {
  await ctx.manager.query('UPDATE widgets SET name = $2 WHERE id = $1', [id, name]);
}

describe('inTransaction', () => {
  it('rolls back everything if it throws', async () => {
    const id = await widgets.insert({ name: 'before' });
    const work = inTransaction(widgets.ctx, async (tx) => {
      await rename(tx, id, 'after');
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect((await widgets.read(id)).name).toBe('before');
  });

  it('joins an open transaction, and is rolled back with it', async () => {
    const id = await widgets.insert({ name: 'before' });
    const work = inTransaction(widgets.ctx, async (outer) => {
      await inTransaction(outer, (inner) => rename(inner, id, 'after'));
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect((await widgets.read(id)).name).toBe('before');
  });

  it('is invisible to others until its end', async () => {
    const id = await widgets.insert({ name: 'before' });
    await inTransaction(widgets.ctx, async (tx) => {
      await rename(tx, id, 'after');
      expect((await widgets.read(id)).name).toBe('before');
    });
    expect((await widgets.read(id)).name).toBe('after');
  });
});

describe('a transaction whose connection is lost', () => {
  it.each<[string, (tx: RequestContext) => Promise<unknown>]>([
    ['at its next statement', ({ manager }) => manager.query('SELECT 1')],
    ['at its end', () => Promise.resolve()],
  ])('is an outage, not a bug: %s', async (_, next) => {
    const work = inTransaction(widgets.ctx, async (tx) => {
      const [{ pid }]: [{ pid: number }] = await tx.manager.query('SELECT pg_backend_pid() AS pid');
      await widgets.ctx.manager.query('SELECT pg_terminate_backend($1)', [pid]);
      await eventually('TypeORM knows', () => tx.manager.queryRunner?.isReleased === true);
      return next(tx);
    });
    const error = await work.catch((one: unknown) => fromForeign(one));
    expect(error).toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  });
});

describe('a statement that takes too long', () => {
  it('is cancelled, and reported as an outage', async () => {
    const error: unknown = await inTransaction(widgets.ctx, async ({ manager }) => {
      await manager.query('SET LOCAL statement_timeout = 50');
      await withSessionLock(widgets.dataSource, 'held', () => transactionLock(manager, 'held'));
    }).catch(fromForeign);
    expect(error).toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  });

  it('has a limit in every session but those that hold a lock', async () => {
    const limit = async ({ manager }: { readonly manager: EntityManager }): Promise<string> => {
      const rows: { statement_timeout: string }[] = await manager.query('SHOW statement_timeout');
      return rows[0]?.statement_timeout ?? '';
    };
    expect(await limit(widgets.ctx)).toBe('15s');
    await withSessionLock(widgets.dataSource, 'long', async (manager) =>
      expect(await limit({ manager })).toBe('0'),
    );
    expect(await inTransaction(widgets.ctx, limit)).toBe('15s');
  });
});

describe('rows straight from SQL', () => {
  it('have the shape of their entity', async () => {
    const id = await widgets.insert({ stateReason: 'because' });
    const { manager } = widgets.dataSource;
    const row = await selectRow(manager, Widget, 'WHERE id = $1', [id]);
    expect(row).toEqual(Object.fromEntries(Object.entries(await widgets.read(id))));
  });

  it('are empty if nothing is found', async () => {
    const { manager } = widgets.dataSource;
    expect(await selectRow(manager, Widget, 'WHERE false')).toBeUndefined();
    expect(await selectRows(manager, Widget, 'WHERE false')).toEqual([]);
  });
});

describe('a prepared statement', () => {
  const NAME = 'SELECT name FROM widgets WHERE id = $1';

  it('is planned once on a connection, whatever its parameters', async () => {
    const ids = await Promise.all(['one', 'two'].map((name) => widgets.insert({ name })));
    await inTransaction(widgets.ctx, async ({ manager }) => {
      const found = [];
      for (const id of ids) found.push(...(await preparedRows(manager, NAME, [id])));
      expect(found).toEqual([{ name: 'one' }, { name: 'two' }]);
      const plans: unknown = await manager.query(
        'SELECT generic_plans + custom_plans AS uses FROM pg_prepared_statements WHERE statement = $1',
        [NAME],
      );
      expect(plans).toEqual([{ uses: 2 }]);
    });
  });

  it('sees what its own transaction has written, and others do not', async () => {
    const id = await widgets.insert({ name: 'before' });
    await inTransaction(widgets.ctx, async (tx) => {
      await rename(tx, id, 'after');
      expect(await preparedRows(tx.manager, NAME, [id])).toEqual([{ name: 'after' }]);
      expect(await preparedRows(widgets.ctx.manager, NAME, [id])).toEqual([{ name: 'before' }]);
    });
  });
});

describe('a violated constraint', () => {
  it('is identified by its name', async () => {
    await widgets.insert({ name: 'only', size: 0 });
    const error: unknown = await widgets.insert({ name: 'only', size: 0 }).catch((e: unknown) => e);
    expect(violatesUnique(error, 'widgets_name_key')).toBe(true);
    expect(violatesUnique(error, 'another_key')).toBe(false);
    expect(violatesForeignKey(error, 'widgets_name_key')).toBe(false);
  });

  it('is not any other error', () => {
    expect(violatesUnique(new Error('widgets_name_key'), 'widgets_name_key')).toBe(false);
  });
});
