import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { jobsOf } from './job.fixture.js';
import { Jobs1796400000000 } from './jobs.migration.js';

let widgets: Widgets;

beforeEach(async () => {
  widgets = await startWidgets();
});

afterEach(() => widgets.stop());

/** Of graphile-worker 0.16, what is read of it. */
const EARLIER = `
  CREATE SCHEMA graphile_worker;
  CREATE TABLE graphile_worker._private_tasks (id integer PRIMARY KEY, identifier text);
  CREATE TABLE graphile_worker._private_jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, task_id integer, key text, payload json,
    priority smallint, run_at timestamptz, locked_by text);
  INSERT INTO graphile_worker._private_tasks VALUES (1, 'widget'), (2, 'widget@host')`;

async function migrateWith(jobs: readonly object[]): Promise<void> {
  const runner = widgets.dataSource.createQueryRunner();
  const migration = new Jobs1796400000000();
  try {
    await migration.down(runner);
    await runner.query(EARLIER);
    await runner.query(
      `INSERT INTO graphile_worker._private_jobs
         (task_id, key, payload, priority, run_at, locked_by)
       SELECT * FROM json_to_recordset($1) AS job (
         task_id integer, key text, payload json, priority smallint, run_at timestamptz,
         locked_by text)`,
      [JSON.stringify(jobs)],
    );
    await migration.up(runner);
  } finally {
    await runner.release();
  }
}

const earlier = (id: string, changes: object = {}) => ({
  task_id: 1,
  key: `widget:${id}`,
  payload: { resource: 'widget', id, attempt: 2, context: { requestId: 'req-1' } },
  priority: 3,
  run_at: '2026-01-01T00:00:00Z',
  ...changes,
});

it('jobs of an earlier version are kept, those that a worker had in hand as well', async () => {
  await migrateWith([earlier('one'), earlier('two', { locked_by: 'w', task_id: 2 })]);
  expect(await jobsOf(widgets.dataSource)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        resource: 'widget',
        id: 'one',
        task: 'widget',
        attempt: 2,
        priority: 3,
        context: { requestId: 'req-1' },
        worker: null,
      }),
      expect.objectContaining({ id: 'two', task: 'widget@host', worker: null }),
    ]),
  );
});

it('a job that ran and was nudged again becomes one, by its newer nudge', async () => {
  const running = { key: null, locked_by: 'w', run_at: '2025-01-01T00:00:00Z' };
  await migrateWith([earlier('one', running), earlier('one', { task_id: 2 })]);
  expect(await jobsOf(widgets.dataSource)).toMatchObject([{ id: 'one', task: 'widget@host' }]);
});

it('the earlier version keeps those alone that its workers have in hand', async () => {
  await migrateWith([earlier('one'), earlier('two', { locked_by: 'w' })]);
  const rows: unknown = await widgets.dataSource.query(
    "SELECT payload->>'id' AS id FROM graphile_worker._private_jobs",
  );
  expect(rows).toEqual([{ id: 'two' }]);
});
