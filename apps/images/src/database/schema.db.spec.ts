import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { schemaDrift } from '@cumulet/testing/schema-drift';
import type { DataSource } from 'typeorm';
import { createImagesDataSource } from './images-data-source.js';

describe('the schema of images', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase('images', createImagesDataSource);
    dataSource = await createImagesDataSource(database.url).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('is after all migrations what the entities say', async () => {
    expect(await schemaDrift(dataSource)).toEqual([]);
  });

  it('keeps an image from being active without its data', async () => {
    const insert = dataSource.query(
      `INSERT INTO images (id, state, owner, visibility, protected, os_hidden, min_disk, min_ram, tags, properties)
       VALUES (gen_random_uuid(), 'active', 'p', 'private', false, false, 0, 0, '{}', '{}')`,
    );
    await expect(insert).rejects.toThrow('images_data_of_state');
  });

  it('can be taken back', async () => {
    await dataSource.undoLastMigration();
    await dataSource.runMigrations();
    expect(await schemaDrift(dataSource)).toEqual([]);
  });
});
