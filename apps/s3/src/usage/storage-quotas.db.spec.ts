import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleEnvironment } from '@cumulet/common/config/settings';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { DataSource } from 'typeorm';
import type { Bucket } from '../buckets/bucket.entity.js';
import { BucketRepository } from '../buckets/bucket.repository.js';
import { S3Database } from '../database/s3-database.fixture.js';
import { BucketEventRepository } from '../notifications/bucket-event.repository.js';
import { BucketEvents } from '../notifications/bucket-events.js';
import { s3Service } from '../service.js';
import { NO_PROPERTIES } from '../objects/version-id.js';
import { ObjectRepository } from '../objects/object.repository.js';
import { ObjectVersions } from '../objects/object-versions.js';
import { UNCONDITIONAL } from '../objects/conditions.js';
import { StorageQuotas } from './storage-quotas.js';
import { UsageRepository } from './usage.repository.js';

const versions = new ObjectVersions(
  new ObjectRepository(),
  new BucketEvents(new BucketEventRepository()),
);
const buckets = new BucketRepository();
const usage = new UsageRepository();

let database: S3Database;
let dataSource: DataSource;
let ctx: RequestContext;

beforeAll(async () => {
  database = await S3Database.create();
  ({ ctx, dataSource } = database);
});
afterAll(() => database.destroy());

function quotasOf(limits: { objects?: number; bytes?: number; buckets?: number }): StorageQuotas {
  return new StorageQuotas({
    ...s3Service.load(exampleEnvironment(s3Service.settings)),
    bucketQuota: limits.buckets ?? -1,
    objectQuota: limits.objects ?? -1,
    bytesQuota: limits.bytes ?? -1,
  });
}

async function newBucket(): Promise<Bucket> {
  const bucket = await buckets.create(ctx, {
    projectId: asId<ProjectId>(randomUUID()),
    name: 'a-bucket',
    region: 'r',
  });
  if (!bucket) throw new Error('the bucket is there already');
  return bucket;
}

function put(quotas: StorageQuotas, bucket: Bucket, key: string, size: number): Promise<unknown> {
  const inline = Buffer.alloc(size);
  const bytes = { etag: '', dataId: null, inline, checksum: null, encryption: null };
  const content = { ...bytes, contentId: asId<never>(randomUUID()), size, partCount: null };
  const object = { ...NO_PROPERTIES, key, ownerId: 'p', content };
  return quotas.within(ctx, bucket.projectId, { objects: 1, bytes: size }, (within) =>
    versions.publish(within, bucket, object, UNCONDITIONAL),
  );
}

const kindOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'stored',
    (error: unknown) => (error as { kind: string }).kind,
  );

describe('a quota', () => {
  it.each([
    ['objects', { objects: 5 }],
    ['bytes', { bytes: 50 }],
  ])('of %s is not exceeded by many concurrent writers', async (_, limits) => {
    const bucket = await newBucket();
    const quotas = [quotasOf(limits), quotasOf(limits)];
    const kinds = await Promise.all(
      Array.from({ length: 12 }, (_one, index) =>
        kindOf(put(quotas[index % 2] ?? quotasOf(limits), bucket, `key-${index}`, 10)),
      ),
    );
    expect(kinds.filter((kind) => kind === 'stored')).toHaveLength(5);
    expect(kinds.filter((kind) => kind === 'quota-exhausted')).toHaveLength(7);
    expect(await usage.ofBucket(ctx, bucket.id)).toEqual({ objects: 5, bytes: 50 });
  });

  it('reports what is left if anything is', async () => {
    const bucket = await newBucket();
    const quotas = quotasOf({ bytes: 50 });
    await put(quotas, bucket, 'a', 30);
    await expect(put(quotas, bucket, 'b', 30)).rejects.toMatchObject({
      kind: 'quota-exceeded',
      message: 'Quota exceeded for s3_bytes: requested 30, 20 of 50 left',
    });
    await put(quotas, bucket, 'b', 20);
  });

  it('lets a full project overwrite its objects', async () => {
    const bucket = await newBucket();
    const quotas = quotasOf({ objects: 1, bytes: 50 });
    await put(quotas, bucket, 'a', 50);
    await put(quotas, bucket, 'a', 50);
    await put(quotas, bucket, 'a', 20);
    expect(await kindOf(put(quotas, bucket, 'a', 51))).toBe('quota-exceeded');
    expect(await usage.ofBucket(ctx, bucket.id)).toEqual({ objects: 1, bytes: 20 });
  });

  it('refuses an upload before its bytes are received', async () => {
    const bucket = await newBucket();
    const quotas = quotasOf({ bytes: 50_000 });
    await quotas.admitBytes(ctx, bucket.projectId, 50_000);
    await expect(quotas.admitBytes(ctx, bucket.projectId, 50_001)).rejects.toMatchObject({
      kind: 'quota-exceeded',
    });
  });

  it('of buckets limits buckets', async () => {
    const { projectId } = await newBucket();
    const quotas = quotasOf({ buckets: 1 });
    await expect(
      inTransaction(ctx, (tx) => quotas.admitBucket(tx, projectId)),
    ).rejects.toMatchObject({ kind: 'quota-exhausted' });
  });
});

describe('far below its limits', () => {
  it('a project is not counted for each write', async () => {
    const bucket = await newBucket();
    const quotas = quotasOf({ objects: 1_000_000, bytes: 1_000_000_000 });
    const counted: string[] = [];
    const own = ctx.withManager(dataSource.manager);
    const count = quotas.usage.bind(quotas);
    quotas.usage = (...args) => {
      counted.push('counted');
      return count(...args);
    };
    for (let index = 0; index < 20; index++)
      await quotas.within(own, bucket.projectId, { objects: 1, bytes: 10 }, () =>
        Promise.resolve(index),
      );
    expect(counted.length).toBeLessThan(20);
  });
});

describe('usage', () => {
  it('is exact after many writers of the same keys', async () => {
    const bucket = await newBucket();
    const quotas = quotasOf({});
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => put(quotas, bucket, `key-${index % 7}`, index)),
    );
    const [sums] = await dataSource.query<{ objects: number; bytes: number }[]>(
      `SELECT count(*)::float8 AS objects, sum(size)::float8 AS bytes FROM objects
        WHERE bucket_id = $1`,
      [bucket.id],
    );
    expect(await usage.ofBucket(ctx, bucket.id)).toEqual(sums);
    expect(await usage.ofBuckets(ctx, bucket.projectId)).toEqual([
      { projectId: bucket.projectId, name: 'a-bucket', ...sums },
    ]);
  });
});
