import {
  DeleteObjectsCommand,
  type Delete,
  type DeleteObjectsCommandOutput,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';

let s3: TestS3;

beforeAll(async () => {
  s3 = await TestS3.start();
});
afterAll(() => s3.stop());

function remove(
  { client, name }: TestBucket,
  Objects: Delete['Objects'],
  more: Partial<Delete> = {},
): Promise<DeleteObjectsCommandOutput> {
  return client.send(new DeleteObjectsCommand({ Bucket: name, Delete: { Objects, ...more } }));
}

describe('a bulk deletion', () => {
  it('deletes what exists, and reports the rest as deleted', async () => {
    const bucket = await TestBucket.create(s3);
    const keys = ['a', ' b ', '<c>&', 'ä/d'];
    await Promise.all(keys.map((key) => bucket.put(key, key)));
    const asked = [...keys, 'nothing'].map((Key) => ({ Key }));
    const { Deleted, Errors } = await remove(bucket, asked);
    expect(Deleted?.map(({ Key }) => Key)).toEqual([...keys, 'nothing']);
    expect(Errors).toBeUndefined();
    expect(await bucket.left()).toEqual({ versions: 0, kept: 0 });
  });

  it('accepts a thousand keys', async () => {
    const bucket = await TestBucket.create(s3);
    await bucket.put('999', 'a');
    const keys = Array.from({ length: 1000 }, (_, at) => ({ Key: String(at) }));
    expect((await remove(bucket, keys)).Deleted).toHaveLength(1000);
    expect(await refusalOf(remove(bucket, [...keys, { Key: 'more' }]))).toBe('400 MalformedXML');
    expect(await bucket.left()).toEqual({ versions: 0, kept: 0 });
  });

  it('may be quiet', async () => {
    const bucket = await TestBucket.create(s3);
    expect((await remove(bucket, [{ Key: 'a' }], { Quiet: true })).Deleted).toBeUndefined();
  });

  it('reports versions and delete markers', async () => {
    const bucket = await TestBucket.versioned(s3);
    const { VersionId } = await bucket.put('a', 'a');
    const { Deleted: [marked] = [] } = await remove(bucket, [{ Key: 'a' }]);
    expect(marked).toMatchObject({ Key: 'a', DeleteMarker: true });
    expect(marked?.VersionId).toBeUndefined();
    const marker = marked?.DeleteMarkerVersionId;
    const { Deleted } = await remove(bucket, [
      { Key: 'a', VersionId },
      { Key: 'a', VersionId: marker },
    ]);
    expect(Deleted).toEqual([
      { Key: 'a', VersionId },
      { Key: 'a', VersionId: marker, DeleteMarker: true, DeleteMarkerVersionId: marker },
    ]);
    expect(await bucket.left()).toMatchObject({ versions: 0 });
  });

  it('reports a reason for each failure', async () => {
    const bucket = await TestBucket.create(s3, { ObjectLockEnabledForBucket: true });
    const { VersionId } = await bucket.put('locked', 'a', { ObjectLockLegalHoldStatus: 'ON' });
    await bucket.put('changed', 'a');
    const { Deleted, Errors } = await remove(bucket, [
      { Key: 'locked', VersionId },
      { Key: 'changed', ETag: 'x' },
      { Key: 'k'.repeat(1025) },
      { Key: 'free' },
    ]);
    expect(Errors?.map(({ Code }) => Code)).toEqual([
      'AccessDenied',
      'PreconditionFailed',
      'KeyTooLongError',
    ]);
    expect(Errors?.[0]).toMatchObject({ Key: 'locked', VersionId });
    expect(Deleted?.map(({ Key }) => Key)).toEqual(['free']);
  });

  it('checks the conditions of each object', async () => {
    const bucket = await TestBucket.create(s3);
    const { ETag } = await bucket.put('a', 'abc');
    const { LastModified: LastModifiedTime } = await bucket.head('a');
    const wrong = await remove(bucket, [{ Key: 'a', ETag, Size: 4 }]);
    expect(wrong.Errors?.[0]?.Code).toBe('PreconditionFailed');
    const right = await remove(bucket, [{ Key: 'a', ETag, Size: 3, LastModifiedTime }]);
    expect(right.Errors).toBeUndefined();
    expect(await bucket.left()).toEqual({ versions: 0, kept: 0 });
  });
});
