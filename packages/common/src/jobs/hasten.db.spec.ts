import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import pg from 'pg';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { jobsOf } from './job.fixture.js';
import { hasten, nudge } from './nudge.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

beforeEach(async () => {
  await widgets.dataSource.query('DELETE FROM graphile_worker._private_jobs');
});

async function nudged(delayMs: number): Promise<string> {
  const id = randomUUID();
  await nudge(widgets.ctx, { task: 'widget', resource: 'widget', id, attempt: 3, delayMs });
  return id;
}

async function runAt(id: string): Promise<number> {
  const rows: { at: Date }[] = await widgets.dataSource.query(
    'SELECT run_at AS at FROM graphile_worker._private_jobs WHERE key = $1',
    [`widget:${id}`],
  );
  return Number(rows[0]?.at);
}

describe('hasten', () => {
  it('makes a nudge due that waits, with all that it carries', async () => {
    const id = await nudged(60_000);
    const [before] = await jobsOf(widgets.dataSource);
    await hasten(widgets.ctx, 'widget', [id]);
    expect(await jobsOf(widgets.dataSource)).toEqual([{ ...before, delayMs: 0 }]);
  });

  it('tells the workers how many there are', async () => {
    const ids = [await nudged(60_000), await nudged(60_000), await nudged(0)];
    const listener = new pg.Client({ connectionString: widgets.url });
    await listener.connect();
    try {
      const told: { count: number }[] = [];
      listener.on('notification', ({ payload = '{}' }) =>
        told.push(JSON.parse(payload) as { count: number }),
      );
      await listener.query('LISTEN "jobs:insert"');
      await hasten(widgets.ctx, 'widget', ids);
      await eventually('the workers were told', () => told.length > 0);
      expect(told).toEqual([expect.objectContaining({ count: 2 })]);
    } finally {
      await listener.end();
    }
  });

  it('leaves one in its place that is due, and those that are not meant', async () => {
    const [due, other] = [await nudged(0), await nudged(60_000)];
    const before = [await runAt(due), await runAt(other)];
    await hasten(widgets.ctx, 'widget', [due, randomUUID()]);
    expect([await runAt(due), await runAt(other)]).toEqual(before);
  });

  it('leaves one alone that is being worked on', async () => {
    const id = await nudged(60_000);
    await widgets.dataSource.query('UPDATE graphile_worker._private_jobs SET locked_at = now()');
    const before = await runAt(id);
    await hasten(widgets.ctx, 'widget', [id]);
    expect(await runAt(id)).toBe(before);
  });
});
