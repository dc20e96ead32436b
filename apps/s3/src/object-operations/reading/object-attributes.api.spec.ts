import {
  DeleteObjectTaggingCommand,
  GetObjectAttributesCommand,
  GetObjectTaggingCommand,
  GetObjectTorrentCommand,
  PutObjectTaggingCommand,
  RestoreObjectCommand,
  type ObjectAttributes,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, TestBucket } from '../../objects/objects.fixture.js';
import { TestS3 } from '../../s3.fixture.js';

let s3: TestS3;
let bucket: TestBucket;

beforeAll(async () => {
  s3 = await TestS3.start();
  bucket = await TestBucket.versioned(s3);
});
afterAll(() => s3.stop());

describe('attributes', () => {
  const all: ObjectAttributes[] = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'];

  it('are returned as requested', async () => {
    const { ETag, VersionId } = await bucket.put('k', 'abc', { ChecksumAlgorithm: 'SHA256' });
    const of = { Bucket: bucket.name, Key: 'k' };
    const found = await bucket.client.send(
      new GetObjectAttributesCommand({ ...of, ObjectAttributes: all }),
    );
    expect(found).toMatchObject({
      ETag: ETag?.replaceAll('"', ''),
      ObjectSize: 3,
      StorageClass: 'STANDARD',
      VersionId,
      Checksum: { ChecksumSHA256: expect.any(String), ChecksumType: 'FULL_OBJECT' },
    });
    expect(found.ObjectParts).toBeUndefined();
    const size = await bucket.client.send(
      new GetObjectAttributesCommand({ ...of, ObjectAttributes: ['ObjectSize'] }),
    );
    expect([size.ETag, size.ObjectSize]).toEqual([undefined, 3]);
  });

  it('of a missing object are not found', async () => {
    const of = { Bucket: bucket.name, Key: 'nothing' };
    const sent = bucket.client.send(
      new GetObjectAttributesCommand({ ...of, ObjectAttributes: all }),
    );
    expect(await refusalOf(sent)).toBe('404 NoSuchKey');
  });
});

describe('tags', () => {
  const of = (Key: string): { Bucket: string; Key: string } => ({ Bucket: bucket.name, Key });

  it('can be read, replaced and removed for each version', async () => {
    const { VersionId } = await bucket.put('tagged', 'a', { Tagging: 'foo=bar&bar' });
    await bucket.put('tagged', 'b');
    const get = async (more = {}): Promise<unknown> =>
      (await bucket.client.send(new GetObjectTaggingCommand({ ...of('tagged'), ...more }))).TagSet;
    expect(await get()).toEqual([]);
    const TagSet = [
      { Key: 'bar', Value: '' },
      { Key: 'foo', Value: 'bar' },
    ];
    expect(await get({ VersionId })).toEqual(TagSet);
    await bucket.client.send(new PutObjectTaggingCommand({ ...of('tagged'), Tagging: { TagSet } }));
    await bucket.client.send(new DeleteObjectTaggingCommand({ ...of('tagged'), VersionId }));
    expect([await get(), await get({ VersionId })]).toEqual([TagSet, []]);
    expect(await bucket.text('tagged')).toBe('b');
  });

  it('are unchanged if a request is refused', async () => {
    await bucket.put('kept', 'a', { Tagging: 'a=1' });
    const TagSet = Array.from({ length: 11 }, (_, at) => ({ Key: String(at), Value: '' }));
    const sent = bucket.client.send(
      new PutObjectTaggingCommand({ ...of('kept'), Tagging: { TagSet } }),
    );
    expect(await refusalOf(sent)).toBe('400 InvalidTag');
    expect((await bucket.get('kept')).TagCount).toBe(1);
  });

  it('of a missing object are not found', async () => {
    const sent = bucket.client.send(new GetObjectTaggingCommand(of('nothing')));
    expect(await refusalOf(sent)).toBe('404 NoSuchKey');
  });
});

describe('a restore', () => {
  it.each([
    ['STANDARD', '403 InvalidObjectState'],
    ['GLACIER', 'accepted'],
  ] as const)('of an object in %s is: %s', async (StorageClass, refusal) => {
    await bucket.put('archived', 'a', { StorageClass });
    const sent = bucket.client.send(
      new RestoreObjectCommand({
        Bucket: bucket.name,
        Key: 'archived',
        RestoreRequest: { Days: 1 },
      }),
    );
    expect(await refusalOf(sent)).toBe(refusal);
  });
});

it('torrents are refused', async () => {
  await bucket.put('k', 'a');
  const sent = bucket.client.send(new GetObjectTorrentCommand({ Bucket: bucket.name, Key: 'k' }));
  expect(await refusalOf(sent)).toBe('404 NoSuchKey');
});
