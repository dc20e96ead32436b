import { randomUUID } from 'node:crypto';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  ListPartsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
  type LifecycleRule,
  type S3Client,
} from '@aws-sdk/client-s3';
import { eventually } from '@cumulet/testing/settle';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Bucket as BucketEntity } from '../buckets/bucket.entity.js';
import { Upload } from '../multipart/upload.entity.js';
import { TestS3 } from '../s3.fixture.js';
import { dueAt } from '../buckets/lifecycle-rules.js';
import { LifecycleRun } from './lifecycle-run.entity.js';

/** A thousand of these short days are more than a test takes, and less than `age` makes of it. */
const DAYS = 1_000;

let s3: TestS3;
let client: S3Client;

beforeAll(async () => {
  s3 = await TestS3.start({ lifecycleDaySeconds: 1 });
  client = s3.client();
});
afterAll(() => s3.stop());

async function bucketOf(isVersioned = false): Promise<string> {
  const Bucket = `b-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  const { manager } = s3.started.ctx;
  if (isVersioned) await manager.update(BucketEntity, { name: Bucket }, { versioning: 'enabled' });
  return Bucket;
}

async function put(Bucket: string, Key: string, Body = 'body', Tagging?: string): Promise<void> {
  await client.send(new PutObjectCommand({ Bucket, Key, Body, Tagging }));
}

/** Makes everything in this bucket a day old; sweeps of other buckets run concurrently. */
async function age(bucket: string, table: 'objects' | 'uploads' = 'objects'): Promise<void> {
  const column = table === 'objects' ? 'modified_at' : 'initiated_at';
  await s3.started.ctx.manager.query(
    `UPDATE ${table} SET ${column} = ${column} - interval '1 day'
       FROM buckets WHERE buckets.id = bucket_id AND name = $1`,
    [bucket],
  );
}

/** Waits until the rules have been applied as often as there was something to do. */
async function follow(Bucket: string, ...rules: Omit<LifecycleRule, 'Status'>[]): Promise<void> {
  const Rules = rules.map((rule) => ({ Filter: {}, ...rule, Status: 'Enabled' as const }));
  await client.send(
    new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }),
  );
  const { manager } = s3.started.ctx;
  const { id } = await manager.findOneByOrFail(BucketEntity, { name: Bucket });
  const begun = new Date();
  await eventually('the rules are followed', async () => {
    const run = await manager.findOneBy(LifecycleRun, { bucketId: id });
    return run !== null && run.until > begun;
  });
}

async function keysIn(Bucket: string): Promise<(string | undefined)[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
  return Contents.map(({ Key }) => Key);
}

/** `key`, or `-key` for a marker, the newest first. */
async function versionsIn(Bucket: string): Promise<string[]> {
  const { Versions = [], DeleteMarkers = [] } = await client.send(
    new ListObjectVersionsCommand({ Bucket }),
  );
  const markers = DeleteMarkers.map(({ Key }) => `-${Key}`);
  return [...markers, ...Versions.map(({ Key }) => `${Key}`)];
}

const expiring = { Expiration: { Days: DAYS } };

describe('objects expire', () => {
  it('that are old enough and match the filter', async () => {
    const Bucket = await bucketOf();
    await put(Bucket, 'logs/old');
    await put(Bucket, 'logs/ä', 'large', 'keep=no&a=b');
    await put(Bucket, 'logz/old');
    await age(Bucket);
    await put(Bucket, 'logs/new');
    await follow(Bucket, { ...expiring, Filter: { Prefix: 'logs/' } });
    expect(await keysIn(Bucket)).toEqual(['logs/new', 'logz/old']);
  });

  it.each<[string, LifecycleRule['Filter']]>([
    ['tags', { Tag: { Key: 'keep', Value: 'no' } }],
    ['a minimum size', { ObjectSizeGreaterThan: 4 }],
    ['all', { And: { Prefix: 'l', Tags: [{ Key: 'keep', Value: 'no' }], ObjectSizeLessThan: 6 } }],
  ])('by %s', async (_, Filter) => {
    const Bucket = await bucketOf();
    await put(Bucket, 'kept', 'four', 'keep=yes');
    await put(Bucket, 'large', 'large', 'keep=no&a=b');
    await age(Bucket);
    await follow(Bucket, { ...expiring, Filter });
    expect(await keysIn(Bucket)).toEqual(['kept']);
  });

  it('on a date, and not before', async () => {
    const [past, future] = [await bucketOf(), await bucketOf()];
    for (const Bucket of [past, future]) await put(Bucket, 'a');
    await follow(past, { Expiration: { Date: new Date('2020-01-01') } });
    await follow(future, { Expiration: { Date: new Date('2120-01-01') } });
    expect([await keysIn(past), await keysIn(future)]).toEqual([[], ['a']]);
  });

  it('by a delete marker, where versions are kept', async () => {
    const Bucket = await bucketOf(true);
    await put(Bucket, 'a');
    await age(Bucket);
    await follow(Bucket, expiring);
    expect(await versionsIn(Bucket)).toEqual(['-a', 'a']);
  });

  it('by the hundred', async () => {
    const Bucket = await bucketOf();
    const { manager } = s3.started.ctx;
    await put(Bucket, 'one');
    await manager.query(
      `INSERT INTO objects (bucket_id, key, version_id, is_latest, content_id, inline, owner_id)
       SELECT bucket_id, convert_to('k' || n, 'UTF8'), 'null', true, gen_random_uuid(), '', owner_id
         FROM objects JOIN buckets ON buckets.id = bucket_id, generate_series(1, 1200) AS n
        WHERE name = $1`,
      [Bucket],
    );
    await age(Bucket);
    await put(Bucket, 'one');
    await follow(Bucket, expiring);
    expect(await keysIn(Bucket)).toEqual(['one']);
  });
});

describe('noncurrent versions expire', () => {
  const noncurrent = { NoncurrentVersionExpiration: { NoncurrentDays: DAYS } };

  it('the configured time after they have been replaced', async () => {
    const Bucket = await bucketOf(true);
    for (let n = 0; n < 3; n += 1) await put(Bucket, 'a');
    await age(Bucket);
    await put(Bucket, 'a');
    await put(Bucket, 'b');
    await follow(Bucket, noncurrent);
    expect(await versionsIn(Bucket)).toEqual(['a', 'a', 'b']);
  });

  it('except for the newest that are to be kept', async () => {
    const Bucket = await bucketOf(true);
    for (let n = 0; n < 5; n += 1) await put(Bucket, 'a');
    await age(Bucket);
    const kept = { NoncurrentDays: DAYS, NewerNoncurrentVersions: 2 };
    await follow(Bucket, { NoncurrentVersionExpiration: kept });
    expect(await versionsIn(Bucket)).toEqual(['a', 'a', 'a']);
  });

  it('unless they are locked', async () => {
    const Bucket = await bucketOf(true);
    await put(Bucket, 'a');
    await s3.started.ctx.manager.query(
      `UPDATE objects SET legal_hold = true FROM buckets WHERE buckets.id = bucket_id AND name = $1`,
      [Bucket],
    );
    await put(Bucket, 'a');
    await age(Bucket);
    await follow(Bucket, noncurrent);
    expect(await versionsIn(Bucket)).toEqual(['a', 'a']);
  });
});

it('a delete marker expires once no other version is left', async () => {
  const Bucket = await bucketOf(true);
  const Expiration = { ExpiredObjectDeleteMarker: true };
  for (const Key of ['alone', 'with-others']) {
    if (Key === 'with-others') await put(Bucket, Key);
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
  }
  await follow(Bucket, { Expiration });
  expect(await versionsIn(Bucket)).toEqual(['-with-others', 'with-others']);
});

it('incomplete uploads are aborted', async () => {
  const Bucket = await bucketOf();
  await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'old' }));
  await age(Bucket, 'uploads');
  await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'new' }));
  await follow(Bucket, { AbortIncompleteMultipartUpload: { DaysAfterInitiation: DAYS } });
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
  expect(Uploads.map(({ Key }) => Key)).toEqual(['new']);
});

it('an upload shows when it will be aborted, and by which rule', async () => {
  const Bucket = await bucketOf();
  const rule = { ID: 'tidy up', Filter: { Prefix: 'logs/' } };
  await follow(Bucket, { ...rule, AbortIncompleteMultipartUpload: { DaysAfterInitiation: DAYS } });
  const begin = (Key: string) => client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const [ours, others] = [await begin('logs/a'), await begin('a')];
  const [upload] = await s3.started.ctx.manager.findBy(Upload, { key: Buffer.from('logs/a') });
  const due = { AbortDate: upload && dueAt(upload.initiatedAt, DAYS), AbortRuleId: 'tidy%20up' };
  expect(ours).toMatchObject(due);
  const named = { Bucket, Key: 'logs/a', UploadId: ours.UploadId };
  expect(await client.send(new ListPartsCommand(named))).toMatchObject(due);
  expect([others.AbortDate, others.AbortRuleId]).toEqual([undefined, undefined]);
  const none = { Bucket, Key: 'a', UploadId: others.UploadId };
  expect((await client.send(new ListPartsCommand(none))).AbortDate).toBeUndefined();
});

it('a disabled rule has no effect', async () => {
  const Bucket = await bucketOf();
  await put(Bucket, 'a');
  await age(Bucket);
  const Rules = [{ ...expiring, Filter: {}, Status: 'Disabled' as const }];
  await client.send(
    new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }),
  );
  const { manager } = s3.started.ctx;
  const { id } = await manager.findOneByOrFail(BucketEntity, { name: Bucket });
  await eventually('the rules are followed', async () =>
    manager.existsBy(LifecycleRun, { bucketId: id }),
  );
  expect(await keysIn(Bucket)).toEqual(['a']);
});
