import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { inTransaction } from '../database/transaction.js';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { jobQueueSweep } from './job-queue-sweep.js';
import { nudge } from './nudge.js';
import { runSweep } from './sweep.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

const nudgeWidget = (id: string, ctx = widgets.ctx): Promise<void> =>
  nudge(ctx, { task: 'widget', resource: 'widget', id });

async function queues(): Promise<string[]> {
  const rows: { name: string }[] = await widgets.dataSource.query(
    'SELECT queue_name AS name FROM graphile_worker._private_job_queues ORDER BY 1',
  );
  return rows.map(({ name }) => name);
}

it('queues go with their last job, and not before', async () => {
  const [kept, emptied] = [randomUUID(), randomUUID()];
  await nudgeWidget(kept);
  await nudgeWidget(emptied);
  await widgets.dataSource.query('DELETE FROM graphile_worker._private_jobs WHERE key = $1', [
    `widget:${emptied}`,
  ]);
  await runSweep(widgets.dataSource, jobQueueSweep());
  expect(await queues()).toEqual([`widget:${kept}`]);
});

it('a queue that is being nudged stays, however long its transaction takes', async () => {
  const id = randomUUID();
  await inTransaction(widgets.ctx, async (tx) => {
    await nudgeWidget(id, tx);
    await runSweep(widgets.dataSource, jobQueueSweep());
  });
  await runSweep(widgets.dataSource, jobQueueSweep());
  expect(await queues()).toContain(`widget:${id}`);
});

it('a job that was given up goes, and its queue with it', async () => {
  const id = randomUUID();
  await nudgeWidget(id);
  await widgets.dataSource.query(
    'UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE key = $1',
    [`widget:${id}`],
  );
  await runSweep(widgets.dataSource, jobQueueSweep());
  expect(await queues()).not.toContain(`widget:${id}`);
});
