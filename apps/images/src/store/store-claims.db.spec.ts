/** Rows of images that count as data when a database claims a store. */
import { STORED_KIND } from '../config.js';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createLogger } from '@cumulet/common/observe/logger';
import { FileStore } from '@cumulet/storage/stores/file-store';
import { StoreClaimRepository } from '@cumulet/storage/stores/store-claim.repository';
import { StoreClaims } from '@cumulet/storage/stores/store-claims';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { DataSource } from 'typeorm';
import { ImageWorkRepository } from '../images/image-work.repository.js';
import { insertImage } from '../images/image-row.fixture.js';
import type { ImageState } from '../images/image.states.js';
import { imagesService } from '../service.js';

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;
let parent: string;

beforeAll(async () => {
  database = await createTestDatabase(imagesService);
  dataSource = await imagesService.dataSource(database.url).initialize();
  ctx = RequestContext.system('req-test', dataSource.manager);
  parent = await mkdtemp(join(tmpdir(), 'cumulet-claim-'));
  await claim('kept');
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
  await rm(parent, { recursive: true, force: true });
});
beforeEach(() => dataSource.query('TRUNCATE images CASCADE'));

function claim(folder: string): Promise<boolean> {
  const store = new FileStore(join(parent, folder), STORED_KIND);
  const logger = createLogger('test', 'silent');
  const claims = new StoreClaimRepository();
  return new StoreClaims(store, new ImageWorkRepository(), claims, logger).claim(ctx);
}

describe('a database with images', () => {
  it.each<ImageState>(['active', 'killed', 'staged', 'saving', 'pending_delete'])(
    'does not start on a store without its mark: %s',
    async (state) => {
      await insertImage(ctx, { state });
      await expect(claim('empty')).rejects.toThrow(
        `The image store (files in ${join(parent, 'empty')}) is empty or not mounted, but this database keeps the data of its images in files in ${join(parent, 'kept')}: mount that one or name it in the settings.`,
      );
      expect(await readdir(parent)).toEqual(['kept']);
      await expect(claim('kept')).resolves.toBe(true);
    },
  );

  it('starts on one without a mark if no image has data', async () => {
    await insertImage(ctx, { state: 'queued' });
    await expect(claim('new')).resolves.toBe(true);
  });
});
