import {
  CopyObjectCommand,
  GetBucketTaggingCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutBucketTaggingCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { ODD_KEYS, pollution } from '@cumulet/testing/odd-keys';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';
import { signedFetch } from '../signed-fetch.fixture.js';

let s3: TestS3;
let bucket: TestBucket;

beforeAll(async () => {
  s3 = await TestS3.start();
  bucket = await TestBucket.create(s3);
});
afterAll(() => s3.stop());

const sorted = [...ODD_KEYS].sort();

describe('names of properties that every JavaScript object has', () => {
  it('are usable as keys, metadata and tags', async () => {
    const client = s3.client();
    const Bucket = bucket.name;
    const header = ODD_KEYS.map((key) => `${key}=of+${key}`).join('&');
    for (const Key of ODD_KEYS)
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key,
          Body: Key,
          Metadata: Object.fromEntries(ODD_KEYS.map((key) => [key.toLowerCase(), `of ${key}`])),
          Tagging: header,
        }),
      );
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    expect(Contents.map(({ Key }) => Key)).toEqual(sorted);
    await client.send(
      new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/__proto__` }),
    );
    for (const Key of ['constructor', '__proto__', 'copy']) {
      // Amazon's client keeps metadata in an object, and loses `__proto__` itself.
      const { headers } = await signedFetch(s3, {
        method: 'HEAD',
        path: `/${Bucket}/${Key}`,
      });
      for (const key of ODD_KEYS)
        expect([key, headers.get(`x-amz-meta-${key.toLowerCase()}`)]).toEqual([key, `of ${key}`]);
      await client.send(new HeadObjectCommand({ Bucket, Key }));
      const { TagSet = [] } = await client.send(new GetObjectTaggingCommand({ Bucket, Key }));
      expect(TagSet).toEqual(sorted.map((key) => ({ Key: key, Value: `of ${key}` })));
    }
    const TagSet = sorted.map((Key) => ({ Key, Value: Key }));
    await client.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }));
    const shown = await client.send(new GetBucketTaggingCommand({ Bucket }));
    expect(shown.TagSet).toEqual(TagSet);
    expect(pollution()).toEqual([]);
  });
});
