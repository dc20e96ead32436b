/** Writes to real files by processes that are killed: nothing is left half-written. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { eventually } from '@cumulet/testing/settle';
import { TestTokens } from '@cumulet/testing/test-tokens';
import type { DataSource } from 'typeorm';
import {
  clientOf,
  endIdentity,
  playIdentity,
  startS3Process,
  type S3Process,
} from '../s3-process.fixture.js';
import { s3Service } from '../service.js';
import { AcknowledgedWrites, BUCKET, foundAt } from './acknowledged-writes.fixture.js';

const WRITES = 2_000;
const CLIENTS = 16;
const TEST_MS = 1_200_000;
/** Ends only what hangs: each write is synced to a disk that others use too. */
const WAIT_MS = 500_000;

let identity: Awaited<ReturnType<typeof playIdentity>>;
let database: TestDatabase;
let dataSource: DataSource;
let storeFolder: string;
let service: S3Process;

beforeAll(async () => {
  identity = await playIdentity(await TestTokens.create());
});
afterAll(() => endIdentity(identity));
beforeEach(async () => {
  database = await createTestDatabase(s3Service);
  dataSource = await s3Service.dataSource(database.url).initialize();
  storeFolder = await mkdtemp(join(tmpdir(), 'cumulet-s3-'));
  service = await start();
});
afterEach(async () => {
  await service.kill();
  await dataSource.destroy();
  await database.drop();
  await rm(storeFolder, { recursive: true, force: true });
});

function start(): Promise<S3Process> {
  return startS3Process({
    databaseUrl: database.url,
    identityUrl: identity.url,
    store: { S3_STORE_FOLDER: storeFolder },
  });
}

async function files(): Promise<string[]> {
  const all = await readdir(storeFolder, { recursive: true, withFileTypes: true });
  return all.filter((one) => one.isFile() && one.name !== 'database-id').map(({ name }) => name);
}

async function idsOf(...tables: string[]): Promise<string[]> {
  const selects = tables.map((table) => `SELECT data_id AS id FROM ${table}`).join(' UNION ALL ');
  const rows: { id: string }[] = await dataSource.query(
    `SELECT id FROM (${selects}) AS known WHERE id IS NOT NULL ORDER BY id`,
  );
  return rows.map(({ id }) => id);
}

it(
  'a service that is killed during many writes keeps what it acknowledged, and no partial writes',
  async () => {
    const client = clientOf(service);
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    const expected = new AcknowledgedWrites();
    const writers = Array.from({ length: CLIENTS }, (_, who) =>
      expected.write(client, who, WRITES / CLIENTS),
    );
    await eventually('much is written', () => expected.acknowledged > WRITES / 4, WAIT_MS);
    await service.kill();
    await Promise.all(writers);
    expect(expected.acknowledged).toBeLessThan(WRITES);

    // Without any sweep: every file has a row, and every row of an object has its file.
    const known = new Set(await idsOf('objects', 'parts', 'loose_data'));
    const there = await files();
    expect(there.filter((name) => !known.has(name))).toEqual([]);
    const kept = await idsOf('objects', 'parts');
    expect(kept.filter((id) => !there.includes(id))).toEqual([]);

    service = await start();
    const reader = clientOf(service);
    for (const key of expected.keys())
      expect(expected.possible(key)).toContain(await foundAt(reader, key));

    // Unfinished, overwritten and deleted data is removed when its lease ends.
    await dataSource.query(`UPDATE loose_data SET until = until - interval '1 hour'`);
    const isTidy = async (): Promise<boolean> => (await idsOf('loose_data')).length === 0;
    await eventually('no loose bytes are left', isTidy, WAIT_MS);
    expect((await files()).sort()).toEqual(await idsOf('objects', 'parts'));
  },
  TEST_MS,
);
