import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { schemaDrift } from '@cumulet/testing/schema-drift';
import { identityService } from '../service.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase(identityService);
});
afterAll(() => database.drop());

it('has migrations that make exactly what the entities describe', async () => {
  const dataSource = identityService.dataSource(database.url);
  await dataSource.initialize();
  try {
    expect(await schemaDrift(dataSource)).toEqual([]);
  } finally {
    await dataSource.destroy();
  }
});

it('goes back to its first schema, and forward again', async () => {
  const dataSource = identityService.dataSource(database.url);
  await dataSource.initialize();
  try {
    for (const _ of identityService.migrations.slice(1)) await dataSource.undoLastMigration();
    await dataSource.runMigrations();
    expect(await schemaDrift(dataSource)).toEqual([]);
  } finally {
    await dataSource.destroy();
  }
});
