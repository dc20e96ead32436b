/** S3 with the libraries that programs use, with their defaults. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as s3 from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withProject } from '../support/with-project.js';
import { S3World } from './s3-world.js';

const MINUTES = 60_000;
const PART = 5 * 1024 * 1024;

let world: S3World;

withProject(async ({ cloud, demo }) => {
  world = await S3World.of(demo, cloud.s3Url);
});
afterAll(() => world.remove());

describe('boto3', () => {
  it(
    'sees what it put, page by page, and which errors are meant',
    async () => {
      const program = fileURLToPath(new URL('./boto3_session.py', import.meta.url));
      const seen = JSON.parse(await world.python3('python', [program])) as unknown;
      expect(seen).toEqual({
        large: true,
        metadata: { colour: 'red' },
        range: ['bytes 10-19/100', 'xxxxxxxxxx'],
        prefixes: [25, 'many/00/', 'many/24/'],
        codes: ['NoSuchKey', 'NoSuchBucket', 'PreconditionFailed', 'BadDigest', 'BucketNotEmpty'],
        left: [],
      });
    },
    10 * MINUTES,
  );
});

describe("Amazon's SDK for JavaScript", () => {
  const Bucket = 'sdk-session';
  let client: s3.S3Client;

  beforeAll(async () => {
    const credentials = { accessKeyId: world.access, secretAccessKey: world.secret };
    client = new s3.S3Client({ endpoint: world.url, region: 'us-east-1', credentials });
    await client.send(new s3.CreateBucketCommand({ Bucket }));
  });
  afterAll(() => client.destroy());

  it('checks what it gets', async () => {
    const Body = randomBytes(300_000);
    const put = await client.send(new s3.PutObjectCommand({ Bucket, Key: 'one', Body }));
    expect(put.ChecksumCRC32).toBeDefined();
    const got = await client.send(new s3.GetObjectCommand({ Bucket, Key: 'one' }));
    expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(Body)).toBe(true);
  });

  it('uploads in parts', async () => {
    const at = { Bucket, Key: 'parts' };
    const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand(at));
    const bodies = [randomBytes(PART), randomBytes(1000)];
    const Parts: s3.CompletedPart[] = [];
    for (const [index, Body] of bodies.entries()) {
      const PartNumber = index + 1;
      const part = await client.send(
        new s3.UploadPartCommand({ ...at, UploadId, PartNumber, Body }),
      );
      Parts.push({ PartNumber, ETag: part.ETag, ChecksumCRC32: part.ChecksumCRC32 });
    }
    const MultipartUpload = { Parts };
    const whole = await client.send(
      new s3.CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload }),
    );
    expect(whole.ETag).toMatch(/-2"$/);
    const got = await client.send(new s3.GetObjectCommand(at));
    const bytes = Buffer.from((await got.Body?.transformToByteArray()) ?? []);
    expect(bytes.equals(Buffer.concat(bodies))).toBe(true);
  });

  it('streams a file', async () => {
    const { createReadStream } = await import('node:fs');
    const Body = createReadStream(world.path('tree/large.bin'));
    await client.send(
      new s3.PutObjectCommand({ Bucket, Key: 'file', Body, ContentLength: 20 * 1024 * 1024 }),
    );
    const got = await client.send(new s3.GetObjectCommand({ Bucket, Key: 'file' }));
    const bytes = Buffer.from((await got.Body?.transformToByteArray()) ?? []);
    expect(bytes.equals(await readFile(world.path('tree/large.bin')))).toBe(true);
  });
});
