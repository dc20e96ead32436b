import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { schemaDrift } from '@cumulet/testing/schema-drift';
import type { DataSource } from 'typeorm';
import { closeJobPool } from '../jobs/job-pool.js';
import { createWidgetDataSource } from '../states/widget.fixture.js';
import { createDataSource } from '../database/data-source.js';
import { migrate } from './migrate.js';

let database: TestDatabase;
const open: DataSource[] = [];

beforeEach(async () => {
  database = await createTestDatabase({
    name: 'nothing',
    dataSource: (url) =>
      createDataSource({ url, poolSize: 2, applicationName: 'x', entities: [], migrations: [] }),
  });
});

afterEach(async () => {
  for (const dataSource of open.splice(0)) {
    await closeJobPool(dataSource);
    await dataSource.destroy();
  }
  await database.drop();
});

async function connected(): Promise<DataSource> {
  const dataSource = createWidgetDataSource(database.url);
  open.push(dataSource);
  return dataSource.initialize();
}

it('migrations run once for concurrent starts', async () => {
  const sources = await Promise.all(Array.from({ length: 4 }, connected));
  await Promise.all(sources.map((one) => migrate(one)));
  const rows: unknown = await sources[0]?.query('SELECT name FROM migrations');
  expect(rows).toEqual([{ name: 'CreateWidgets1763700000000' }, { name: 'Jobs1796400000000' }]);
});

it('a second start has nothing to do', async () => {
  const dataSource = await connected();
  await migrate(dataSource);
  await migrate(dataSource);
  expect(await schemaDrift(dataSource)).toEqual([]);
});

it('the lock is released, also after a failure', async () => {
  const broken = await connected();
  await broken.query('CREATE TABLE widgets (id text)');
  await expect(migrate(broken)).rejects.toThrow(/already exists/);
  await broken.query('DROP TABLE widgets');
  await migrate(await connected());
});

const servedBy = async (dataSource: DataSource): Promise<unknown> =>
  dataSource.query('SELECT oldest FROM served_releases');

it('the schema names the oldest release that it serves, and never again an older one', async () => {
  const dataSource = await connected();
  await migrate(dataSource, '0.1.0');
  expect(await servedBy(dataSource)).toEqual([{ oldest: '0.1.0' }]);
  await migrate(dataSource, '0.2.0');
  await migrate(dataSource, '0.1.0');
  expect(await servedBy(dataSource)).toEqual([{ oldest: '0.2.0' }]);
});

it('a release that the schema does not serve changes nothing', async () => {
  const dataSource = await connected();
  await dataSource.query(`UPDATE served_releases SET oldest = '99.0.0'`);
  await expect(migrate(dataSource)).rejects.toThrow('serves releases from 99.0.0 on');
  expect(await dataSource.query(`SELECT to_regclass('widgets') AS found`)).toEqual([
    { found: null },
  ]);
});
