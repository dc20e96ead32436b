import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { schemaDrift } from '@cumulet/testing/schema-drift';
import { createIdentityDataSource, identityMigrations } from './identity-data-source.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase('identity', createIdentityDataSource);
});
afterAll(() => database.drop());

it('has migrations that make exactly what the entities describe', async () => {
  const dataSource = createIdentityDataSource(database.url);
  await dataSource.initialize();
  try {
    expect(await schemaDrift(dataSource)).toEqual([]);
  } finally {
    await dataSource.destroy();
  }
});

it('goes back to its first schema, and forward again', async () => {
  const dataSource = createIdentityDataSource(database.url);
  await dataSource.initialize();
  try {
    for (const _ of identityMigrations.slice(1)) await dataSource.undoLastMigration();
    await dataSource.runMigrations();
    expect(await schemaDrift(dataSource)).toEqual([]);
  } finally {
    await dataSource.destroy();
  }
});
