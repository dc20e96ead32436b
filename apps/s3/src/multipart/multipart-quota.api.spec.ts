import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';
import { countsIn } from './stored-counts.fixture.js';

let s3: TestS3;

beforeAll(async () => {
  s3 = await TestS3.start({ objectQuota: 1, bytesQuota: 100_000 });
});
afterAll(() => s3.stop());

it('an upload that exceeds the quota is not completed', async () => {
  const client = s3.client();
  const { name: Bucket } = await TestBucket.create(s3);
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'k' }));
  const part = { Bucket, Key: 'k', UploadId, PartNumber: 1 };
  const large = new UploadPartCommand({ ...part, Body: Buffer.alloc(100_001) });
  await expect(client.send(large)).rejects.toMatchObject({ name: 'QuotaExceeded' });
  const { ETag } = await client.send(new UploadPartCommand({ ...part, Body: 'bytes' }));
  await client.send(new PutObjectCommand({ Bucket, Key: 'other', Body: 'bytes' }));
  const MultipartUpload = { Parts: [{ ETag, PartNumber: 1 }] };
  const complete = { Bucket, Key: 'k', UploadId, MultipartUpload };
  await expect(client.send(new CompleteMultipartUploadCommand(complete))).rejects.toMatchObject({
    name: 'QuotaExceeded',
  });
  expect(await countsIn(s3, Bucket)).toMatchObject({ objects: 1, uploads: 1, parts: 1, loose: 0 });
});
