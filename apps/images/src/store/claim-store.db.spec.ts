/** Which store a database starts on: real rows, and folders that are mounted or not. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createLogger } from '@cumulet/common/observe/logger';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { DataSource } from 'typeorm';
import {
  StoreOfAnotherDatabaseError,
  StoreUnavailableError,
  StoreUnmarkedError,
} from '../images/image.errors.js';
import { ImageWorkRepository } from '../images/image-work.repository.js';
import { insertImage } from '../images/image-row.fixture.js';
import type { ImageState } from '../images/image.states.js';
import { StoreClaims } from './claim-store.js';
import { FileStore } from './file-store.js';
import type { ImageStore } from './image-store.js';
import { MemoryStore } from './memory-store.js';
import { StoreClaimRepository } from './store-claim.repository.js';
import { imagesService } from '../service.js';

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;
let parent: string;

beforeAll(async () => {
  database = await createTestDatabase(imagesService);
  dataSource = await imagesService.dataSource(database.url).initialize();
  ctx = RequestContext.system('req-test', dataSource.manager);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(async () => {
  await dataSource.query('TRUNCATE images CASCADE');
  await dataSource.query('UPDATE store_claim SET database_id = gen_random_uuid(), store = NULL');
  parent = await mkdtemp(join(tmpdir(), 'cumulet-claim-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

function folder(name: string): FileStore {
  return new FileStore(join(parent, name));
}

function claimsOf(store: ImageStore): StoreClaims {
  const logger = createLogger('test', 'silent');
  return new StoreClaims(store, new ImageWorkRepository(), new StoreClaimRepository(), logger);
}

function claimStore(ctx: RequestContext, store: ImageStore): Promise<boolean> {
  return claimsOf(store).claim(ctx);
}

describe('a database that has data of images', () => {
  it.each<ImageState>(['active', 'killed', 'staged', 'saving', 'pending_delete'])(
    'does not start on a store without its mark, and makes nothing in it: %s',
    async (state) => {
      await claimStore(ctx, folder('kept'));
      await insertImage(ctx, { state });
      const empty = claimStore(ctx, folder('empty'));
      await expect(empty).rejects.toThrow(
        `The image store (files in ${join(parent, 'empty')}) is empty or not mounted, but this database keeps the data of its images in files in ${join(parent, 'kept')}: mount that one or name it in the settings.`,
      );
      expect(await readdir(parent)).toEqual(['kept']);
      await expect(claimStore(ctx, folder('kept'))).resolves.toBe(true);
    },
  );

  it('does not, too, where it was made before databases knew their stores', async () => {
    await insertImage(ctx, { state: 'active' });
    await expect(claimStore(ctx, folder('empty'))).rejects.toThrow(StoreUnmarkedError);
  });

  it('knows its store by the mark, wherever it is mounted', async () => {
    await claimStore(ctx, folder('kept'));
    await insertImage(ctx, { state: 'active' });
    const { databaseId } = await claim();
    await folder('moved').claim(databaseId);
    await expect(claimStore(ctx, folder('moved'))).resolves.toBe(true);
    expect((await claim()).store).toBe(`files in ${join(parent, 'moved')}`);
  });

  it('does not take memory for the files that it has', async () => {
    await claimStore(ctx, folder('kept'));
    await insertImage(ctx, { state: 'active' });
    await expect(claimStore(ctx, new MemoryStore())).rejects.toThrow(StoreUnmarkedError);
  });

  it('starts on new memory, and says that what was in the old is lost', async () => {
    await expect(claimStore(ctx, new MemoryStore())).resolves.toBe(true);
    await insertImage(ctx, { state: 'active' });
    const restarted = new MemoryStore();
    await expect(claimStore(ctx, restarted)).resolves.toBe(false);
    await expect(claimsOf(restarted).requireClaimed(ctx)).resolves.toBeUndefined();
  });
});

describe('a database without any data of images', () => {
  it('takes an empty store for its own', async () => {
    await insertImage(ctx, { state: 'queued' });
    await expect(claimStore(ctx, folder('one'))).resolves.toBe(true);
    await expect(claimStore(ctx, folder('two'))).resolves.toBe(true);
    expect((await claim()).store).toBe(`files in ${join(parent, 'two')}`);
  });

  it('does not go back to the store of before', async () => {
    await claimStore(ctx, folder('one'));
    await claimStore(ctx, folder('two'));
    await expect(claimStore(ctx, folder('one'))).rejects.toThrow(StoreOfAnotherDatabaseError);
    await expect(claimsOf(folder('one')).requireClaimed(ctx)).rejects.toThrow(
      StoreUnavailableError,
    );
  });

  it('agrees with itself on one store in processes that start at the same moment', async () => {
    const claims = Array.from({ length: 4 }, () => claimStore(ctx, folder('one')));
    expect(await Promise.all(claims)).toEqual([true, true, true, true]);
    expect(await folder('one').mark()).toBe((await claim()).databaseId);
  });
});

async function claim(): Promise<{ databaseId: string; store: string | null }> {
  const [row] = await dataSource.query<{ databaseId: string; store: string | null }[]>(
    'SELECT database_id AS "databaseId", store FROM store_claim',
  );
  if (!row) throw new Error('there is no claim');
  return row;
}
