import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { givenUpJobsSweep } from '../app/service-work.js';
import { jobsOf } from './job.fixture.js';
import { nudge } from './nudge.js';
import { runSweep } from './sweep.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

async function nudged(change: string): Promise<string> {
  const id = randomUUID();
  await nudge(widgets.ctx, { task: 'widget', resource: 'widget', id });
  await widgets.dataSource.query(
    `UPDATE graphile_worker._private_jobs SET ${change} WHERE key = $1`,
    [`widget:${id}`],
  );
  return id;
}

it('removes only jobs that were given up', async () => {
  await nudged('attempts = max_attempts');
  const waiting = await nudged('attempts = max_attempts - 1');
  const nudgedWhileItRuns = await nudged('attempts = max_attempts, locked_at = now()');
  await runSweep(widgets.dataSource, givenUpJobsSweep());
  const left = (await jobsOf(widgets.dataSource)).map(({ payload }) => payload.id);
  expect(left).toEqual([waiting, nudgedWhileItRuns]);
});

it('nudges leave no queues behind', async () => {
  await nudged('attempts = 0');
  const queues = await widgets.dataSource.query<unknown[]>(
    'SELECT FROM graphile_worker._private_job_queues',
  );
  expect(queues).toEqual([]);
});
