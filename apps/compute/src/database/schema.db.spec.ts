import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { schemaDrift } from '@cumulet/testing/schema-drift';
import type { DataSource } from 'typeorm';
import { computeService } from '../service.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(computeService);
  dataSource = await computeService.dataSource(database.url).initialize();
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function tables(): Promise<string[]> {
  const rows: { name: string }[] = await dataSource.query(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

it('the entities describe what the migrations made', async () => {
  expect(await schemaDrift(dataSource)).toEqual([]);
});

it('the migrations can be undone, and done again', async () => {
  for (const _ of dataSource.migrations) await dataSource.undoLastMigration();
  expect(await tables()).toEqual(['migrations']);
  await dataSource.runMigrations();
  expect(await tables()).toEqual(['flavors', 'hosts', 'migrations', 'servers']);
  expect(await schemaDrift(dataSource)).toEqual([]);
});
