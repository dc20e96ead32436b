import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { schemaDrift } from '@cumulet/testing/schema-drift';
import type { DataSource } from 'typeorm';
import { s3Service } from '../service.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(s3Service);
  dataSource = await s3Service.dataSource(database.url).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

it('the schema is after all migrations what the entities say', async () => {
  expect(await schemaDrift(dataSource)).toEqual([]);
});
