import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { schemaDrift } from '@cumulet/testing/schema-drift';
import type { DataSource } from 'typeorm';
import { orchestrationTables } from './engine.fixture.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(orchestrationTables);
  dataSource = await orchestrationTables.dataSource(database.url).initialize();
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

it('has the tables that the entities describe', async () => {
  expect(await schemaDrift(dataSource)).toEqual([]);
});
