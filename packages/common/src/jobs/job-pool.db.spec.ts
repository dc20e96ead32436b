import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { jobPool } from './job-pool.js';
import { nudgeAll } from './nudge.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

it('thousands of jobs are not read by a plan that was made when there were none', async () => {
  const client = await jobPool(widgets.dataSource).connect();
  try {
    await client.query('VACUUM graphile_worker._private_jobs');
    await client.query(
      `PREPARE first_job (timestamptz) AS SELECT id FROM graphile_worker._private_jobs
        WHERE is_available AND run_at <= $1 ORDER BY priority, run_at LIMIT 1`,
    );
    // Postgres settles on a plan at the sixth time.
    for (let time = 0; time < 7; time += 1) await client.query('EXECUTE first_job (now())');
    const nudges = Array.from({ length: 2_000 }, (_, at) => ({
      task: 'widget',
      resource: 'widget',
      id: String(at),
    }));
    await nudgeAll(widgets.ctx, nudges);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      'EXPLAIN EXECUTE first_job (now())',
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('jobs_main_index');
    expect(plan).not.toContain('Seq Scan');
  } finally {
    client.release();
  }
});
