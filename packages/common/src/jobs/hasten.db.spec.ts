import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import pg from 'pg';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { isWaiting, jobsOf } from './job.fixture.js';
import { hasten, nudge } from './nudge.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

beforeEach(async () => {
  await widgets.dataSource.query('DELETE FROM jobs');
});

async function nudged(delayMs: number): Promise<string> {
  const id = randomUUID();
  await nudge(widgets.ctx, { task: 'widget', resource: 'widget', id, attempt: 3, delayMs });
  return id;
}

async function runAt(id: string): Promise<number> {
  const rows: { at: Date }[] = await widgets.dataSource.query(
    'SELECT run_at AS at FROM jobs WHERE id = $1',
    [id],
  );
  return Number(rows[0]?.at);
}

describe('hasten', () => {
  it('makes a nudge due that waits, with all that it carries', async () => {
    const id = await nudged(60_000);
    const [before] = await jobsOf(widgets.dataSource);
    await hasten(widgets.ctx, 'widget', [id]);
    const [after] = await jobsOf(widgets.dataSource);
    expect(after).toEqual({ ...before, delayMs: after?.delayMs });
    const due: unknown = await widgets.dataSource.query(
      'SELECT id FROM jobs WHERE run_at <= now()',
    );
    expect(due).toEqual([{ id }]);
  });

  it('tells the workers of the task', async () => {
    const id = await nudged(60_000);
    const listener = new pg.Client({ connectionString: widgets.url });
    await listener.connect();
    try {
      const tasks: unknown[] = [];
      listener.on('notification', ({ payload }) => tasks.push(payload));
      await listener.query('LISTEN jobs');
      await hasten(widgets.ctx, 'widget', [id]);
      await eventually('the workers were told', () => tasks.length > 0);
      expect(tasks).toEqual(['widget']);
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

  it('leaves one alone that runs, and is to run once', async () => {
    const id = await nudged(60_000);
    await widgets.dataSource.query("UPDATE jobs SET worker = 'w', run_at = NULL");
    await hasten(widgets.ctx, 'widget', [id]);
    expect(await jobsOf(widgets.dataSource)).toMatchObject([{ id, worker: 'w', delayMs: null }]);
  });

  it('is not lost where another transaction changes the nudge at the same time', async () => {
    const id = await nudged(60_000);
    const changing = widgets.dataSource.createQueryRunner();
    await changing.startTransaction();
    await changing.query('UPDATE jobs SET attempt = 4');
    const hastened = hasten(widgets.ctx, 'widget', [id]);
    await eventually('it waits for that', () => isWaiting(widgets.dataSource));
    await changing.commitTransaction();
    await changing.release();
    await hastened;
    const due: unknown = await widgets.dataSource.query(
      'SELECT id, attempt FROM jobs WHERE run_at <= now()',
    );
    expect(due).toEqual([{ id, attempt: 4 }]);
  });
});
