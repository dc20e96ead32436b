import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { DataSource, QueryRunner } from 'typeorm';
import type { ImageState } from '../images/image.states.js';
import { UsedImageIds1795500000000 } from './migrations/1795500000000-used-image-ids.js';
import { imagesService } from '../service.js';

describe('the schema of images', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase(imagesService);
    dataSource = await imagesService.dataSource(database.url).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('keeps an image from being active without its data', async () => {
    await expect(insert('active')).rejects.toThrow('images_data_of_state');
  });

  it('keeps an image from having an ID that is not recorded as used', async () => {
    await expect(insert('queued')).rejects.toThrow('images_id_fkey');
  });

  it('records the IDs of images older than the table', async () => {
    const migration = new UsedImageIds1795500000000();
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await migration.down(runner);
    await insert('queued', runner);
    await migration.up(runner);
    await runner.commitTransaction();
    await runner.release();
    const ids: unknown = await dataSource.query('SELECT id FROM used_image_ids');
    expect(ids).toHaveLength(1);
    expect(ids).toEqual(await dataSource.query('SELECT id FROM images'));
  });

  /** A row without any data, past the repository. */
  function insert(
    state: ImageState,
    executor: DataSource | QueryRunner = dataSource,
  ): Promise<unknown> {
    return executor.query(
      `INSERT INTO images (id, state, owner, visibility, protected, os_hidden, min_disk, min_ram, tags, properties)
       VALUES (gen_random_uuid(), $1, 'p', 'private', false, false, 0, 0, '{}', '{}')`,
      [state],
    );
  }
});
