import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RequestContext } from './request-context.js';
import { startWidgets, Widget, type Widgets } from '../states/widget.fixture.js';
import { Table } from '../tables/table.js';
import { DomainError } from '../errors/domain-error.js';
import { RequestTransaction } from './request-transaction.js';
import { inTransaction } from '../database/transaction.js';

let widgets: Widgets;
let held: RequestTransaction;
let ctx: RequestContext;
let begun: number;

const table = new Table<Widget>(Widget, { missing: () => new DomainError('not-found', 'None.') });

beforeAll(async () => {
  widgets = await startWidgets();
});
beforeEach(async () => {
  await widgets.dataSource.query('DELETE FROM widgets');
  begun = 0;
  held = new RequestTransaction(widgets.dataSource, () => {
    begun += 1;
    return Promise.resolve();
  });
  ctx = new RequestContext({ ...widgets.ctx.fields, held });
});
afterAll(() => widgets.stop());

const insert = (by: RequestContext) =>
  table.insert(by, { id: randomUUID(), projectId: 'p', name: 'n', size: 1, state: 'there' });

/** As anyone else sees them. */
const count = () => widgets.dataSource.manager.count(Widget);

describe('a held transaction', () => {
  it('stays open after its work, which the request itself sees', async () => {
    await inTransaction(ctx, insert);
    expect([await count(), await ctx.manager.count(Widget)]).toEqual([0, 1]);
    await held.commit();
    expect([await count(), await ctx.manager.count(Widget)]).toEqual([1, 1]);
  });

  it("includes the request's other writes, also outside of inTransaction", async () => {
    await insert(ctx);
    await inTransaction(ctx, insert);
    await insert(ctx);
    expect([begun, await count()]).toEqual([1, 0]);
    await held.rollback();
    expect(await count()).toBe(0);
  });

  it('restarts after failed work', async () => {
    const failing = inTransaction(ctx, async (tx) => {
      await insert(tx);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await inTransaction(ctx, insert);
    await held.commit();
    expect([begun, await count()]).toEqual([2, 1]);
  });

  it('releases its connection, however it ends', async () => {
    for (let round = 0; round < 20; round += 1) {
      const one = new RequestTransaction(widgets.dataSource, () => Promise.resolve());
      await one.run(() => Promise.resolve());
      await (round % 2 === 0 ? one.commit() : one.rollback());
    }
    expect(await count()).toBe(0);
  });

  it('refuses work after its end', async () => {
    await inTransaction(ctx, insert);
    await held.commit();
    await expect(insert(ctx)).rejects.toThrow('has ended');
  });
});
