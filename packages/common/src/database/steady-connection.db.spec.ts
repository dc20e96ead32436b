import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import { jobPool } from '../jobs/job-pool.js';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});
afterAll(() => widgets.stop());

const poolOf = (name: string): pg.Pool =>
  name === 'jobs'
    ? jobPool(widgets.dataSource)
    : (widgets.dataSource.driver as unknown as { readonly master: pg.Pool }).master;

it.each(['requests', 'jobs'])(
  'a connection of the %s that Postgres cuts while nobody listens ends nothing else',
  async (name) => {
    const client = await poolOf(name).connect();
    const error = new Error('terminating connection due to unexpected postmaster exit');
    expect(() => client.emit('error', error)).not.toThrow();
    client.release(error);
    expect((await poolOf(name).query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([
      { one: 1 },
    ]);
  },
);
