/** Writes into real files by real processes that are killed: nothing is half there afterwards. */
import { createHash, randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { eventually } from '@cumulet/testing/settle';
import { TestTokens } from '@cumulet/testing/test-tokens';
import type { DataSource } from 'typeorm';
import { ACCESS, playIdentity, startS3Process, type S3Process } from '../s3-process.fixture.js';
import { s3Service } from '../service.js';

const WRITES = 5_000;
const CLIENTS = 16;
const TEST_MS = 600_000;

/** In the row, in the store, and of several chunks. */
const SIZES = [0, 1_000, 16_384, 20_000, 100_000, 400_000];

let identity: Awaited<ReturnType<typeof playIdentity>>;
let database: TestDatabase;
let dataSource: DataSource;
let storeFolder: string;
let service: S3Process;

beforeAll(async () => {
  identity = await playIdentity(await TestTokens.create());
});
afterAll(() => closed(identity.server));
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

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function start(): Promise<S3Process> {
  return startS3Process({ databaseUrl: database.url, storeFolder, identityUrl: identity.url });
}

function clientOf({ address }: S3Process): S3Client {
  return new S3Client({
    endpoint: address,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: ACCESS,
    maxAttempts: 1,
  });
}

/** What a key may have: its last acknowledged bytes, or those of a write without an answer. */
class Expected {
  readonly #possible = new Map<string, Set<string>>();
  acknowledged = 0;

  begin(key: string, hash: string): void {
    this.possible(key).add(hash);
  }

  acknowledge(key: string, hash: string): void {
    this.#possible.set(key, new Set([hash]));
    this.acknowledged += 1;
  }

  possible(key: string): Set<string> {
    const known = this.#possible.get(key) ?? new Set([NOTHING]);
    this.#possible.set(key, known);
    return known;
  }

  keys(): string[] {
    return [...this.#possible.keys()];
  }
}

const NOTHING = 'nothing';

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** One of a client's own keys is put, overwritten or deleted, until nobody answers any more. */
async function write(client: S3Client, expected: Expected, who: number): Promise<void> {
  for (let count = 0; count < WRITES / CLIENTS; count += 1) {
    const at = { Bucket: 'bucket', Key: `${who}/${count % 40}` };
    const bytes = randomBytes(SIZES[count % SIZES.length] ?? 0);
    const isDelete = count % 11 === 10;
    const hash = isDelete ? NOTHING : hashOf(bytes);
    expected.begin(at.Key, hash);
    try {
      if (isDelete) await client.send(new DeleteObjectCommand(at));
      else await client.send(new PutObjectCommand({ ...at, Body: bytes }));
    } catch {
      return;
    }
    expected.acknowledge(at.Key, hash);
  }
}

async function found(client: S3Client, Key: string): Promise<string> {
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: 'bucket', Key }));
    return hashOf((await Body?.transformToByteArray()) ?? Buffer.alloc(0));
  } catch (error) {
    if ((error as Error).name === 'NoSuchKey') return NOTHING;
    throw error;
  }
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
  'a service that is killed in the middle of many writes has what it acknowledged, and no halves',
  async () => {
    const client = clientOf(service);
    await client.send(new CreateBucketCommand({ Bucket: 'bucket' }));
    const expected = new Expected();
    const writers = Array.from({ length: CLIENTS }, (_, who) => write(client, expected, who));
    await eventually('much is written', () => Promise.resolve(expected.acknowledged > WRITES / 4));
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
      expect(expected.possible(key)).toContain(await found(reader, key));

    // What was begun, overwritten or deleted goes when its time is over.
    await dataSource.query(`UPDATE loose_data SET until = until - interval '1 hour'`);
    await eventually('no loose bytes are left', async () => {
      return (await idsOf('loose_data')).length === 0;
    });
    expect((await files()).sort()).toEqual(await idsOf('objects', 'parts'));
  },
  TEST_MS,
);
