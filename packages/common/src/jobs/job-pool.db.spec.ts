import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { jobPool } from './job-pool.js';
import { TAKE } from './job.repository.js';
import { nudgeAll } from './nudge.js';

const TAKEN = "EXECUTE take ('w', '{widget}', 1)";

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

it('the first of thousands of jobs is taken without reading the others', async () => {
  const client = await jobPool(widgets.dataSource).connect();
  try {
    await client.query('VACUUM jobs');
    await client.query(`PREPARE take (text, text[], integer) AS ${TAKE.text}`);
    // Postgres settles on a plan at the sixth time.
    for (let time = 0; time < 7; time += 1) await client.query(TAKEN);
    const nudges = Array.from({ length: 2_000 }, (_, at) => ({
      task: 'widget',
      resource: 'widget',
      id: String(at),
    }));
    await nudgeAll(widgets.ctx, nudges);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${TAKEN}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('jobs_due_idx');
    expect(plan).not.toMatch(/Seq Scan|Sort|Bitmap/);
  } finally {
    client.release();
  }
});
