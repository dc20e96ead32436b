import { randomBytes } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
  type ChecksumAlgorithm,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestBucket } from '../../objects/objects.fixture.js';
import { TestS3 } from '../../s3.fixture.js';
import { beginChecksum } from './checksum.js';

let s3: TestS3;
/** Sends checksums only where it is told to. */
let client: S3Client;
let bucket: TestBucket;

beforeAll(async () => {
  s3 = await TestS3.start();
  client = s3.client(s3.member, { requestChecksumCalculation: 'WHEN_REQUIRED' });
  bucket = await TestBucket.create(s3, { client, ACL: 'public-read-write' });
});
afterAll(() => s3.stop());

const MIB = 1024 * 1024;
const CHECK = Buffer.from('123456789');
/** Of the bytes above: the check value of the NVMe specification's CRC-64, ae8b14860a799888. */
const CHECK_CRC = 'rosUhgp5mIg=';

interface Sum {
  readonly ChecksumCRC64NVME: string;
  readonly ChecksumType: 'FULL_OBJECT';
}

const sumOf = (ChecksumCRC64NVME: string): Sum => ({
  ChecksumCRC64NVME,
  ChecksumType: 'FULL_OBJECT',
});

async function crc64(bytes: Buffer): Promise<string> {
  const checksum = await beginChecksum('CRC64NVME');
  checksum.update(bytes);
  return checksum.digest().toString('base64');
}

async function expectStored(Key: string, sum: Sum): Promise<void> {
  expect((await bucket.head(Key)).ChecksumCRC64NVME).toBeUndefined();
  expect(await bucket.head(Key, { ChecksumMode: 'ENABLED' })).toMatchObject(sum);
  const asked = { Bucket: bucket.name, Key, ObjectAttributes: ['Checksum' as const] };
  const { Checksum } = await client.send(new GetObjectAttributesCommand(asked));
  expect(Checksum).toEqual(sum);
}

describe('an object sent without a checksum', () => {
  it.each([
    ['small', CHECK, CHECK_CRC],
    ['empty', Buffer.alloc(0), 'AAAAAAAAAAA='],
  ])('gets one: %s', async (key, bytes, value) => {
    expect(await bucket.put(key, bytes)).toMatchObject(sumOf(value));
    await expectStored(key, sumOf(value));
  });

  it('gets one over all bytes in the store, which its reader verifies', async () => {
    const bytes = randomBytes(3 * MIB);
    expect(await bucket.put('large', bytes)).toMatchObject(sumOf(await crc64(bytes)));
    expect((await bucket.bytes('large', { ChecksumMode: 'ENABLED' })).equals(bytes)).toBe(true);
  });

  it('gets one if it is sent by a form', async () => {
    const form = new FormData();
    form.append('key', 'form');
    form.append('file', new Blob([CHECK]), 'a.txt');
    const url = `${s3.url}/${s3.projectId}:${bucket.name}`;
    const { status, headers } = await fetch(url, { method: 'POST', body: form });
    expect(status).toBe(204);
    expect(headers.get('x-amz-checksum-crc64nvme')).toBe(CHECK_CRC);
    expect(headers.get('x-amz-checksum-type')).toBe('FULL_OBJECT');
    await expectStored('form', sumOf(CHECK_CRC));
  });

  it('gets one as a copy of an object without', async () => {
    await bucket.put('bare', CHECK);
    const { manager } = s3.started.ctx;
    await manager.query('UPDATE objects SET checksum = NULL WHERE key = $1', [Buffer.from('bare')]);
    expect((await bucket.head('bare', { ChecksumMode: 'ENABLED' })).ChecksumType).toBeUndefined();
    const named = { Bucket: bucket.name, Key: 'copy', CopySource: `${bucket.name}/bare` };
    const { CopyObjectResult } = await client.send(new CopyObjectCommand(named));
    expect(CopyObjectResult).toMatchObject(sumOf(CHECK_CRC));
    await expectStored('copy', sumOf(CHECK_CRC));
  });
});

describe('an upload begun without an algorithm', () => {
  const bodies = [randomBytes(5 * MIB), randomBytes(5 * MIB), randomBytes(5 * MIB), CHECK];
  const whole = Buffer.concat(bodies);

  async function sent(Key: string) {
    const named = { Bucket: bucket.name, Key };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(named));
    const Parts: CompletedPart[] = [];
    const algorithms: (ChecksumAlgorithm | undefined)[] = ['SHA256', 'CRC64NVME', undefined];
    for (const [at, Body] of bodies.slice(0, 3).entries()) {
      const ChecksumAlgorithm = algorithms[at];
      const part = { ...named, UploadId, PartNumber: at + 1, Body, ChecksumAlgorithm };
      const { $metadata: _, ...answer } = await client.send(new UploadPartCommand(part));
      Parts.push({ ...answer, PartNumber: part.PartNumber });
    }
    await bucket.put('last', CHECK);
    const part = { ...named, UploadId, PartNumber: 4, CopySource: `${bucket.name}/last` };
    const { CopyPartResult } = await client.send(new UploadPartCopyCommand(part));
    Parts.push({ ETag: CopyPartResult?.ETag, PartNumber: 4 });
    return { ...named, UploadId, MultipartUpload: { Parts } };
  }

  it('becomes an object with a checksum over all bytes, whichever its parts have', async () => {
    const upload = await sent('parts');
    const sum = sumOf(await crc64(whole));
    expect(upload.MultipartUpload.Parts[2]).toEqual({ ETag: expect.any(String), PartNumber: 3 });
    expect(await client.send(new CompleteMultipartUploadCommand(upload))).toMatchObject(sum);
    await expectStored('parts', sum);
    const read = await bucket.bytes('parts', { ChecksumMode: 'ENABLED' });
    expect(read.equals(whole)).toBe(true);
  });

  it('is verified against the checksum that its client has computed', async () => {
    const upload = await sent('compared');
    const complete = (more: Partial<Sum>): Promise<unknown> =>
      client.send(new CompleteMultipartUploadCommand({ ...upload, ...more }));
    const wrong = complete({ ChecksumCRC64NVME: CHECK_CRC });
    await expect(wrong).rejects.toMatchObject({ name: 'BadDigest' });
    const { Parts } = upload.MultipartUpload;
    const other = Parts.with(3, { ...Parts[3], ChecksumCRC64NVME: 'AAAAAAAAAAA=' });
    const part = new CompleteMultipartUploadCommand({
      ...upload,
      MultipartUpload: { Parts: other },
    });
    await expect(client.send(part)).rejects.toMatchObject({ name: 'InvalidPart' });
    const sum = sumOf(await crc64(whole));
    expect(await complete(sum)).toMatchObject(sum);
  });
});
