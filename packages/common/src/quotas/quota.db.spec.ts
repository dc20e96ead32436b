import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '../context/ids.js';
import { RequestContext } from '../context/request-context.js';
import { inTransaction } from '../database/transaction.js';
import { startWidgets, Widget, type Widgets } from '../states/widget.fixture.js';
import { claimQuota, QuotaExceededError, QuotaExhaustedError } from './quota.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

const of = (projectId: string): RequestContext =>
  new RequestContext({ ...widgets.ctx.fields, projectId: asId(projectId) });

async function usage(ctx: RequestContext): Promise<Record<string, number>> {
  const widgetCount = await ctx.manager.countBy(Widget, { projectId: ctx.projectId });
  const size = (await ctx.manager.sum(Widget, 'size', { projectId: ctx.projectId })) ?? 0;
  return { widgets: widgetCount, size };
}

/** Claims and inserts one widget, as a service creates a resource. */
function create(ctx: RequestContext, size: number): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    await claimQuota(
      tx,
      [
        { resource: 'widgets', requested: 1, limit: 3 },
        { resource: 'size', requested: size, limit: 10 },
      ],
      usage,
    );
    await tx.manager.query(
      `INSERT INTO widgets (id, project_id, name, size, state) VALUES (gen_random_uuid(), $1, 'w', $2, 'there')`,
      [tx.projectId, size],
    );
  });
}

describe('claiming a quota', () => {
  it('never lets requests at the same time share the last unit', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => create(of('busy'), 1)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const refused = results.filter((result) => result.status === 'rejected');
    for (const { reason } of refused) expect(reason).toBeInstanceOf(QuotaExhaustedError);
  });

  it('refuses where any of several is too small, and inserts nothing', async () => {
    await create(of('large'), 8);
    await expect(create(of('large'), 3)).rejects.toThrow(QuotaExceededError);
    expect(await usage(of('large'))).toEqual({ widgets: 1, size: 8 });
  });

  it('counts each project by itself', async () => {
    await create(of('one'), 10);
    await expect(create(of('other'), 10)).resolves.toBeUndefined();
  });

  it('is free again with the rows: there is no counter', async () => {
    await create(of('again'), 10);
    await expect(create(of('again'), 1)).rejects.toThrow(QuotaExhaustedError);
    await widgets.dataSource.query("DELETE FROM widgets WHERE project_id = 'again'");
    await expect(create(of('again'), 10)).resolves.toBeUndefined();
  });
});
