/** The scrub of real rows, and of bytes in a store that a test damages. */
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '@cumulet/common/database/transaction';
import { createLogger } from '@cumulet/common/observe/logger';
import { Metrics } from '@cumulet/common/observe/metrics';
import type { ByteStore, DataId } from '@cumulet/storage/stores/byte-store';
import { StoreUnavailableError } from '@cumulet/storage/stores/store.errors';
import { sourceOf, testContents, type TestContents } from '../content/content.fixture.js';
import type { EncryptionRequest } from '../content/encryption/encryption.js';
import { LooseDataWorld } from '../loose-data/loose-data.fixture.js';
import { ScrubRepository } from './scrub.repository.js';
import { ScrubSweep } from './scrub.sweep.js';

const BYTES = randomBytes(200_000);
const KEY = randomBytes(32);
const METHODS: readonly (readonly [string, EncryptionRequest | undefined])[] = [
  ['not encrypted', undefined],
  ['SSE-S3', { kind: 'SSE-S3' }],
  ['SSE-C', { kind: 'SSE-C', key: { key: KEY, md5: md5Of(KEY) } }],
];

let world: LooseDataWorld;
let { writer, store }: TestContents = testContents();
let lines: string[];

beforeAll(async () => {
  world = await LooseDataWorld.start();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.clear();
  ({ writer, store } = testContents());
  await world.claimsOf(store).claim(world.ctx);
  await startRound();
  lines = [];
});

function md5Of(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('base64');
}

/** Lets a round begin with the next run. */
async function startRound(): Promise<void> {
  await world.dataSource.query(
    `UPDATE scrub_round SET last_id = NULL, began_at = now() - interval '1 hour'`,
  );
}

async function storedPart(encryption?: EncryptionRequest): Promise<DataId> {
  const part = await writer.receive(world.ctx, sourceOf(BYTES), {
    checksum: undefined,
    contentMd5: undefined,
    encryption,
  });
  const { contentId, dataId, size, etag } = part;
  if (dataId === null) throw new Error('the bytes are in their row');
  await inTransaction(world.ctx, async (tx) => {
    await writer.keep(tx, part);
    await tx.manager.query(
      `INSERT INTO parts (content_id, number, size, etag, data_id, encryption)
       VALUES ($1, 7, $2, $3, $4, $5)`,
      [contentId, size, etag, dataId, part.encryption],
    );
  });
  return dataId;
}

function flipOneByte(id: DataId): void {
  const bytes = store.objects.get(id);
  bytes?.writeUInt8(bytes.readUInt8(150_000) ^ 1, 150_000);
}

function storeWith(open: (id: DataId) => Promise<Readable>): ByteStore {
  return Object.assign(Object.create(store) as ByteStore, {
    open,
    mark: () => store.mark(),
  });
}

/** @returns how much was found damaged, and how many bytes were read */
async function scrub(on: ByteStore = store, stopping?: AbortSignal): Promise<[number, number]> {
  const logger = createLogger('test', 'info', { write: (line: string) => void lines.push(line) });
  const metrics = new Metrics('s3');
  const config = { scrubSeconds: 600, scrubBytesPerSecond: 1e12 };
  const claims = world.claimsOf(on);
  const sweep = new ScrubSweep(new ScrubRepository(), on, claims, config, metrics, logger);
  await sweep.run(world.ctx, stopping);
  const counted = async (name: string): Promise<number> =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
  return [await counted('s3_damaged_data_total'), await counted('s3_scrubbed_bytes_total')];
}

describe.each(METHODS)('bytes in the store, %s', (_, encryption) => {
  it('are found to be intact', async () => {
    await storedPart(encryption);
    const [damaged, read] = await scrub();
    expect(damaged).toBe(0);
    expect(read).toBeGreaterThanOrEqual(BYTES.length);
  });

  it('are reported as damaged after a single bit flip', async () => {
    await storedPart(encryption);
    const id = await storedPart(encryption);
    flipOneByte(id);
    expect((await scrub())[0]).toBe(1);
    const line = lines.find((one) => one.includes('stored bytes are damaged'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ dataId: id, part: 7 });
  });

  it('are reported if they are missing or truncated', async () => {
    store.objects.delete(await storedPart(encryption));
    const id = await storedPart(encryption);
    store.objects.set(id, store.objects.get(id)?.subarray(0, 1_000) ?? Buffer.alloc(0));
    expect((await scrub())[0]).toBe(2);
  });
});

describe('a scrub', () => {
  it('begins a round when it is due, and reads everything once', async () => {
    for (let part = 0; part < 120; part += 1) await storedPart();
    expect((await scrub())[1]).toBe(120 * BYTES.length);
    expect((await scrub())[1]).toBe(0);
    await startRound();
    expect((await scrub())[1]).toBe(120 * BYTES.length);
  });

  it('resumes where another process stopped', async () => {
    for (let part = 0; part < 3; part += 1) await storedPart();
    const stop = new AbortController();
    const stopping = storeWith(async (id) => {
      stop.abort();
      return store.open(id);
    });
    const opened: DataId[] = [];
    const watched = storeWith((id) => {
      opened.push(id);
      return store.open(id);
    });
    await scrub(stopping, stop.signal);
    await scrub(watched);
    expect(opened).toHaveLength(3);
    expect((await scrub())[1]).toBe(0);
  });

  it('does not mistake an unavailable store for damage, and retries', async () => {
    await storedPart();
    const away = storeWith(() =>
      Promise.reject(new StoreUnavailableError('object', new Error('no route'))),
    );
    expect(await scrub(away)).toEqual([0, 0]);
    expect(await scrub()).toEqual([0, BYTES.length]);
  });

  it('does not mistake an unmounted store for damage', async () => {
    await storedPart();
    const empty = testContents().store;
    expect((await scrub(empty))[0]).toBe(0);
    expect(await scrub()).toEqual([0, BYTES.length]);
  });

  it('does not report bytes that are correct on a second read', async () => {
    const id = await storedPart();
    let reads = 0;
    const once = storeWith((one) => {
      reads += 1;
      if (reads > 1) return store.open(one);
      return Promise.resolve(Readable.from([Buffer.alloc(3)], { objectMode: false }));
    });
    expect((await scrub(once))[0]).toBe(0);
    expect(lines.some((line) => line.includes('right again') && line.includes(id))).toBe(true);
  });

  it('does not report bytes that have been deleted meanwhile', async () => {
    await storedPart();
    const deleting = storeWith(async (id) => {
      await world.dataSource.query('DELETE FROM parts');
      store.objects.delete(id);
      return store.open(id);
    });
    expect((await scrub(deleting))[0]).toBe(0);
  });
});
