/** Which store a database starts on: a real table, and folders that are mounted or not. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { schemaDrift } from '@cumulet/testing/schema-drift';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createDataSource } from '@cumulet/common/database/data-source';
import { createLogger } from '@cumulet/common/observe/logger';
import type { ByteStore } from './byte-store.js';
import { FileStore } from './file-store.js';
import { MemoryStore } from './memory-store.js';
import { StoreClaim, createStoreClaim, dropStoreClaim } from './store-claim.entity.js';
import { StoreClaimRepository } from './store-claim.repository.js';
import { StoreClaims } from './store-claims.js';
import {
  StoreOfAnotherDatabaseError,
  StoreUnavailableError,
  StoreUnmarkedError,
} from './store.errors.js';

class StoreClaim1700000000000 implements MigrationInterface {
  readonly name = 'StoreClaim1700000000000';

  up(runner: QueryRunner): Promise<void> {
    return createStoreClaim(runner);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropStoreClaim(runner);
  }
}

const open = (url: string): DataSource =>
  createDataSource({
    url,
    poolSize: 8,
    applicationName: 'claims',
    entities: [StoreClaim],
    migrations: [StoreClaim1700000000000],
  });

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;
let parent: string;
/** What the service's rows say. */
let hasData: boolean;

beforeAll(async () => {
  database = await createTestDatabase({ name: 'claims', dataSource: open });
  dataSource = await open(database.url).initialize();
  ctx = RequestContext.system('req-test', dataSource.manager);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(async () => {
  hasData = false;
  await dataSource.query('UPDATE store_claim SET database_id = gen_random_uuid(), store = NULL');
  parent = await mkdtemp(join(tmpdir(), 'cumulet-claim-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

function folder(name: string): FileStore {
  return new FileStore(join(parent, name), 'widget');
}

function claimsOf(store: ByteStore): StoreClaims {
  const rows = { haveData: () => Promise.resolve(hasData) };
  return new StoreClaims(store, rows, new StoreClaimRepository(), createLogger('test', 'silent'));
}

function claimStore(store: ByteStore): Promise<boolean> {
  return claimsOf(store).claim(ctx);
}

it('the table matches its entity', async () => {
  expect(await schemaDrift(dataSource)).toEqual([]);
});

describe('a database that has data', () => {
  it('does not start on a store without its mark, and creates nothing in it', async () => {
    await claimStore(folder('kept'));
    hasData = true;
    await expect(claimStore(folder('empty'))).rejects.toThrow(
      `The widget store (files in ${join(parent, 'empty')}) is empty or not mounted, but this database keeps the data of its widgets in files in ${join(parent, 'kept')}: mount that one or name it in the settings.`,
    );
    expect(await readdir(parent)).toEqual(['kept']);
    await expect(claimStore(folder('kept'))).resolves.toBe(true);
  });

  it('does not start either if it is older than the marks of stores', async () => {
    hasData = true;
    await expect(claimStore(folder('empty'))).rejects.toThrow(StoreUnmarkedError);
  });

  it('knows its store by the mark, wherever it is mounted', async () => {
    await claimStore(folder('kept'));
    hasData = true;
    const { databaseId } = await claim();
    await folder('moved').claim(databaseId);
    await expect(claimStore(folder('moved'))).resolves.toBe(true);
    expect((await claim()).store).toBe(`files in ${join(parent, 'moved')}`);
  });

  it('does not start on memory if its data is in files', async () => {
    await claimStore(folder('kept'));
    hasData = true;
    await expect(claimStore(new MemoryStore('widget'))).rejects.toThrow(StoreUnmarkedError);
  });

  it('starts on new memory, and logs that the old data is lost', async () => {
    await expect(claimStore(new MemoryStore('widget'))).resolves.toBe(true);
    hasData = true;
    const restarted = new MemoryStore('widget');
    await expect(claimStore(restarted)).resolves.toBe(false);
    await expect(claimsOf(restarted).requireClaimed(ctx)).resolves.toBeUndefined();
  });
});

describe('a database without any data', () => {
  it('claims an empty store', async () => {
    await expect(claimStore(folder('one'))).resolves.toBe(true);
    await expect(claimStore(folder('two'))).resolves.toBe(true);
    expect((await claim()).store).toBe(`files in ${join(parent, 'two')}`);
  });

  it('cannot return to its former store', async () => {
    await claimStore(folder('one'));
    await claimStore(folder('two'));
    await expect(claimStore(folder('one'))).rejects.toThrow(StoreOfAnotherDatabaseError);
    await expect(claimsOf(folder('one')).requireClaimed(ctx)).rejects.toThrow(
      StoreUnavailableError,
    );
  });

  it('claims one store if processes start at the same moment', async () => {
    const claims = Array.from({ length: 4 }, () => claimStore(folder('one')));
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
