/** Uploads and concurrent writes while a bucket is being deleted. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { violatesForeignKey } from '@cumulet/common/database/violations';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import 'reflect-metadata';
import type { Bucket } from '../buckets/bucket.entity.js';
import { BucketRepository } from '../buckets/bucket.repository.js';
import { PartRepository } from '../content/part.repository.js';
import { S3Database } from '../database/s3-database.fixture.js';
import { looseAmong, newBucket, newPart, newUpload } from '../multipart/multipart.db.fixture.js';
import type { Upload } from '../multipart/upload.entity.js';
import { UploadRepository } from '../multipart/upload.repository.js';

let database: S3Database;
let ctx: RequestContext;
let bucket: Bucket;
const [buckets, uploads, parts] = [
  new BucketRepository(),
  new UploadRepository(),
  new PartRepository(),
];

beforeAll(async () => {
  database = await S3Database.create();
  ({ ctx } = database);
});
afterAll(() => database.destroy());
beforeEach(async () => {
  bucket = await newBucket(ctx);
});

const remove = (): Promise<boolean> => inTransaction(ctx, (tx) => buckets.delete(tx, bucket));

/** Writes an object's row as a completed upload does: its upload is locked before. */
async function complete({ id, key }: Upload): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const name = { id, bucketId: bucket.id, key: key.toString() };
    if (!(await uploads.findLocked(tx, name))) return false;
    await insertObject(tx, key);
    return uploads.delete(tx, name);
  });
}

async function insertObject(tx: RequestContext, key: Buffer): Promise<void> {
  await preparedRows(
    tx.manager,
    `INSERT INTO objects (bucket_id, key, version_id, is_latest, content_id, owner_id)
     VALUES ($1, $2, 'null', true, gen_random_uuid(), 'one')`,
    [bucket.id, key],
  );
}

async function countOf(table: 'buckets' | 'objects' | 'uploads'): Promise<number> {
  const column = table === 'buckets' ? 'id' : 'bucket_id';
  const sql = `SELECT FROM ${table} WHERE ${column} = $1`;
  return (await preparedRows(ctx.manager, sql, [bucket.id])).length;
}

it('deleting a bucket ends its uploads and removes their bytes', async () => {
  const upload = newUpload(bucket.id, 'a');
  const part = newPart(upload.id, 1);
  await uploads.create(ctx, upload);
  await parts.put(ctx, part);
  expect(await remove()).toBe(true);
  expect(await parts.all(ctx, upload.id)).toEqual([]);
  expect(await looseAmong(ctx, [part.dataId])).toEqual([part.dataId]);
});

it('uploads are kept if a bucket is not empty', async () => {
  await uploads.create(ctx, newUpload(bucket.id, 'a'));
  await insertObject(ctx, Buffer.from('b'));
  expect(await remove()).toBe(false);
  expect([await countOf('buckets'), await countOf('uploads')]).toEqual([1, 1]);
});

it('an upload is completed or its bucket is deleted, without a deadlock', async () => {
  for (let round = 0; round < 20; round++) {
    bucket = await newBucket(ctx);
    const upload = newUpload(bucket.id, 'a');
    await uploads.create(ctx, upload);
    const [removed, completed] = await Promise.all([
      inTransaction(ctx, async (tx) => {
        if (!(await buckets.delete(tx, bucket))) throw new Error('not empty');
      }).then(
        () => true,
        () => false,
      ),
      complete(upload),
    ]);
    expect(completed).toBe(!removed);
    expect(await countOf('buckets')).toBe(removed ? 0 : 1);
    expect(await countOf('objects')).toBe(completed ? 1 : 0);
  }
});

it('an object is written or its bucket is deleted, never both', async () => {
  for (let round = 0; round < 20; round++) {
    bucket = await newBucket(ctx);
    const [removed, written] = await Promise.all([
      remove(),
      insertObject(ctx, Buffer.from('a')).then(
        () => true,
        (error: unknown) => {
          expect(violatesForeignKey(error, 'objects_bucket_id_fkey')).toBe(true);
          return false;
        },
      ),
    ]);
    expect(written).toBe(!removed);
    expect(await countOf('objects')).toBe(written ? 1 : 0);
  }
});
