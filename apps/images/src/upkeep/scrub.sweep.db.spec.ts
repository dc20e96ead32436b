/** The scrub on real rows and files. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, rename, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createLogger } from '@cumulet/common/observe/logger';
import { Metrics } from '@cumulet/common/observe/metrics';
import { type ByteStore, type DataId, newDataId } from '@cumulet/storage/stores/byte-store';
import { FileStore } from '@cumulet/storage/stores/file-store';
import { StoreClaimRepository } from '@cumulet/storage/stores/store-claim.repository';
import { StoreClaims } from '@cumulet/storage/stores/store-claims';
import { StoreUnavailableError } from '@cumulet/storage/stores/store.errors';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { DataSource } from 'typeorm';
import type { Image } from '../images/image.entity.js';
import { ImageRepository } from '../images/image.repository.js';
import { ImageWorkRepository } from '../images/image-work.repository.js';
import { insertImage } from '../images/image-row.fixture.js';
import { imagesService } from '../service.js';
import { ScrubRepository, ScrubSweep } from './scrub.sweep.js';

const SIZE = 700_000;

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;
let folder: string;
let store: FileStore;
let metrics: Metrics;
let lines: string[];

beforeAll(async () => {
  database = await createTestDatabase(imagesService);
  dataSource = await imagesService.dataSource(database.url).initialize();
  ctx = RequestContext.system('req-test', dataSource.manager);
  folder = await mkdtemp(join(tmpdir(), 'cumulet-scrub-'));
  store = new FileStore(folder, 'image');
  await claimsOf(store).claim(ctx);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await dataSource.query('TRUNCATE images CASCADE');
  metrics = new SharedMetrics('images');
  lines = [];
});

/** Shared by the scrubs of a test. */
class SharedMetrics extends Metrics {
  readonly #counters = new Map<string, ReturnType<Metrics['counter']>>();

  override counter(name: string, help: string): ReturnType<Metrics['counter']> {
    const counter = this.#counters.get(name) ?? super.counter(name, help);
    this.#counters.set(name, counter);
    return counter;
  }
}

function claimsOf(on: ByteStore): StoreClaims {
  const logger = createLogger('test', 'silent');
  return new StoreClaims(on, new ImageWorkRepository(), new StoreClaimRepository(), logger);
}

type StoredImage = Pick<Image, 'id' | 'hashValue'> & { readonly dataId: DataId };

async function storedImage(values: Partial<Image> = {}): Promise<StoredImage> {
  const data = randomBytes(SIZE);
  const hash = (algorithm: string): string => createHash(algorithm).update(data).digest('hex');
  const dataId = newDataId();
  await store.put(dataId, Readable.from([data], { objectMode: false }));
  const { id, hashValue } = await insertImage(ctx, {
    state: 'active',
    dataId,
    size: SIZE,
    checksum: hash('md5'),
    hashValue: hash('sha512'),
    ...values,
  });
  return { id, hashValue, dataId };
}

function fileOf({ dataId }: StoredImage): string {
  return join(folder, 'objects', dataId.slice(0, 2), dataId);
}

async function flipOneByte(image: StoredImage): Promise<void> {
  const file = await open(fileOf(image), 'r+');
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, 600_000);
  await file.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, 600_000);
  await file.close();
}

function aScrub(on: ByteStore = store, everySeconds = 0, bytesPerSecond = 1e12): ScrubSweep {
  const logger = createLogger('test', 'info', { write: (line: string) => void lines.push(line) });
  const config = { scrubSeconds: everySeconds, scrubBytesPerSecond: bytesPerSecond };
  return new ScrubSweep(new ScrubRepository(), on, claimsOf(on), config, metrics, logger);
}

/** Checks all images once, since a checked image is not due again. */
async function scrub(on?: ByteStore, everySeconds?: number): Promise<void> {
  await aScrub(on, everySeconds).run(ctx, new AbortController().signal);
}

async function stateOf({ id }: StoredImage): Promise<unknown> {
  return (await new ImageRepository().find(ctx, id))?.state;
}

async function lookedAt({ id }: StoredImage): Promise<boolean> {
  return ((await new ImageRepository().find(ctx, id))?.scrubbedAt ?? null) !== null;
}

async function counted(name: string): Promise<number | undefined> {
  const metric = await metrics.registry.getSingleMetric(name)?.get();
  return metric?.values[0]?.value;
}

/** A store with one method replaced by the test. */
function storeWith(changes: Partial<ByteStore>): ByteStore {
  return {
    holds: 'image',
    description: 'changed',
    isVolatile: false,
    mark: () => store.mark(),
    claim: (id) => store.claim(id),
    put: (id, data) => store.put(id, data),
    open: (id, range) => store.open(id, range),
    remove: (id) => store.remove(id),
    list: () => store.list(),
    ...changes,
  };
}

describe('the integrity scrub', () => {
  it('leaves intact images unchanged, and records the check', async () => {
    const active = await storedImage();
    const deactivated = await storedImage({ state: 'deactivated' });
    await scrub();
    expect(await stateOf(active)).toBe('active');
    expect(await stateOf(deactivated)).toBe('deactivated');
    expect(await lookedAt(active)).toBe(true);
    expect(await counted('images_scrubbed_bytes_total')).toBe(2 * SIZE);
    expect(await counted('images_damaged_total')).toBe(0);
  });

  it.each([
    ['a byte of its file has flipped', flipOneByte],
    ['its file is cut short', (image: StoredImage) => truncate(fileOf(image), SIZE - 1)],
    ['its file is gone', (image: StoredImage) => rm(fileOf(image))],
  ])('kills an image when %s', async (_, harm) => {
    const harmed = await storedImage();
    const whole = await storedImage();
    await harm(harmed);
    await scrub();
    const found = await new ImageRepository().find(ctx, harmed.id);
    expect(found?.state).toBe('killed');
    expect(found?.stateReason).toBe('Its stored bytes do not match their checksum.');
    expect(await stateOf(whole)).toBe('active');
    expect(await counted('images_damaged_total')).toBe(1);
  });

  it('names the image, its object and both hashes in the log', async () => {
    const image = await storedImage();
    await flipOneByte(image);
    await scrub();
    const line = lines.find((one) => one.includes('is damaged')) ?? '';
    const { imageId, dataId, wanted, found } = JSON.parse(line) as Record<string, unknown>;
    expect({ imageId, dataId }).toEqual({ imageId: image.id, dataId: image.dataId });
    expect(wanted).toMatchObject({ size: SIZE, sha512: image.hashValue });
    expect(found).toMatchObject({ size: SIZE, sha512: expect.stringMatching(/^[0-9a-f]{128}$/) });
  });

  it('trusts a second read that is correct', async () => {
    const image = await storedImage();
    let reads = 0;
    const misreading = storeWith({
      open: (id) => {
        reads += 1;
        return reads === 1 ? Promise.resolve(Readable.from([Buffer.alloc(SIZE)])) : store.open(id);
      },
    });
    await scrub(misreading);
    expect(reads).toBe(2);
    expect(await stateOf(image)).toBe('active');
    expect(await lookedAt(image)).toBe(true);
  });

  it('does not treat an unreachable store as damage, and reads only one image', async () => {
    const images = [await storedImage(), await storedImage()];
    let opened = 0;
    const unavailable = storeWith({
      open: () => {
        opened += 1;
        return Promise.reject(new StoreUnavailableError('image', new Error('no route')));
      },
    });
    await scrub(unavailable);
    expect(opened).toBe(1);
    for (const image of images) {
      expect(await stateOf(image)).toBe('active');
      expect(await lookedAt(image)).toBe(false);
    }
  });

  it('does not treat an unmounted folder as damage', async () => {
    const images = [await storedImage(), await storedImage()];
    await rename(folder, `${folder}-away`);
    await mkdir(folder);
    await scrub();
    await rm(folder, { recursive: true });
    await rename(`${folder}-away`, folder);
    for (const image of images) {
      expect(await stateOf(image)).toBe('active');
      expect(await lookedAt(image)).toBe(false);
    }
    expect(lines.filter((line) => line.includes('could not scrub'))).toHaveLength(1);
  });

  it.each(['active', 'deactivated'] as const)(
    'restores a damaged image that was %s once its bytes are intact',
    async (state) => {
      const image = await storedImage({ state });
      await flipOneByte(image);
      await scrub();
      expect(await stateOf(image)).toBe('killed');
      await flipOneByte(image);
      await scrub();
      const found = await new ImageRepository().find(ctx, image.id);
      expect({ state: found?.state, reason: found?.stateReason }).toEqual({ state, reason: null });
      expect(lines.filter((line) => line.includes('is whole again'))).toHaveLength(1);
    },
  );

  it('reports damage once', async () => {
    const image = await storedImage();
    await flipOneByte(image);
    await scrub();
    await scrub();
    expect(await stateOf(image)).toBe('killed');
    expect(await counted('images_damaged_total')).toBe(1);
    expect(lines.filter((line) => line.includes('is damaged'))).toHaveLength(1);
  });

  it('continues with others if a read breaks off', async () => {
    const [first, second] = [await storedImage(), await storedImage()];
    const breaking = storeWith({
      open: (id) =>
        id === first.dataId
          ? Promise.resolve(
              new Readable({
                read() {
                  this.destroy(new Error('the cable was pulled'));
                },
              }),
            )
          : store.open(id),
    });
    await scrub(breaking);
    expect(await stateOf(first)).toBe('active');
    expect(await lookedAt(first)).toBe(false);
    expect(await lookedAt(second)).toBe(true);
  });

  it('ignores an image deleted during its read', async () => {
    const image = await storedImage();
    const deleting = storeWith({
      open: async (id) => {
        await dataSource.query(`UPDATE images SET state = 'pending_delete' WHERE id = $1`, [
          image.id,
        ]);
        await store.remove(id);
        return store.open(id);
      },
    });
    await scrub(deleting);
    expect(await counted('images_damaged_total')).toBe(0);
    const rows: unknown = await dataSource.query('SELECT state FROM images');
    expect(rows).toEqual([{ state: 'pending_delete' }]);
  });

  it('checks the longest unchecked image first, and none before its time', async () => {
    const day = 24 * 3_600;
    const daysAgo = (days: number): Date => new Date(Date.now() - days * day * 1000);
    const older = await storedImage({ scrubbedAt: daysAgo(9) });
    const oldest = await storedImage({ scrubbedAt: daysAgo(20) });
    const never = await storedImage({ createdAt: daysAgo(8) });
    await storedImage({ scrubbedAt: daysAgo(6) });
    await storedImage();
    const opened: DataId[] = [];
    const watched = storeWith({
      open: (id) => {
        opened.push(id);
        return store.open(id);
      },
    });
    await scrub(watched, 7 * day);
    expect(opened).toEqual([never.dataId, oldest.dataId, older.dataId]);
  });

  it('reads every image once with two scrubbing processes', async () => {
    const images = [];
    for (let at = 0; at < 6; at += 1) images.push(await storedImage({ createdAt: new Date(0) }));
    const other = await imagesService.dataSource(database.url).initialize();
    const opened: DataId[] = [];
    const watched = storeWith({
      open: (id) => {
        opened.push(id);
        return store.open(id);
      },
    });
    const runs = [ctx, RequestContext.system('req-other', other.manager)].map((one) =>
      aScrub(watched, 3_600).run(one, new AbortController().signal),
    );
    await Promise.all(runs);
    await other.destroy();
    expect(opened.sort()).toEqual(images.map(({ dataId }) => dataId).sort());
  });

  it('stops in the middle of an image on shutdown', async () => {
    const image = await storedImage();
    const stop = new AbortController();
    const stopping = storeWith({
      open: async (id) => {
        const data = await store.open(id);
        setImmediate(() => stop.abort());
        return data;
      },
    });
    await aScrub(stopping, 0, 1_000).run(ctx, stop.signal);
    expect(await lookedAt(image)).toBe(false);
    expect(await stateOf(image)).toBe('active');
    const locks: unknown[] = await dataSource.query(
      `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
        WHERE locktype = 'advisory' AND d.datname = current_database()`,
    );
    expect(locks).toEqual([]);
  });
});
