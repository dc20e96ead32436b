import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';
import { signedFetch } from '../signed-fetch.fixture.js';
import { countsIn } from './stored-counts.fixture.js';

let s3: TestS3;
let client: S3Client;
let Bucket: string;

beforeAll(async () => {
  s3 = await TestS3.start();
  client = s3.client();
  Bucket = (await TestBucket.create(s3)).name;
});
afterAll(() => s3.stop());

const MIB = 1024 * 1024;

function crc32Of(bytes: Buffer): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum.toString('base64');
}

describe('checksums', () => {
  const bodies = [randomBytes(5 * MIB), randomBytes(17)];
  const whole = Buffer.concat(bodies);
  const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
  const composite = sha256(Buffer.concat(bodies.map(sha256))).toString('base64');

  async function upload(
    Key: string,
    ChecksumAlgorithm: 'SHA256' | 'CRC32' | 'CRC64NVME',
    ChecksumType?: 'FULL_OBJECT',
  ) {
    const asked = { Bucket, Key, ChecksumAlgorithm, ChecksumType };
    const begun = await client.send(new CreateMultipartUploadCommand(asked));
    expect(begun.ChecksumAlgorithm).toBe(ChecksumAlgorithm);
    const Parts: CompletedPart[] = [];
    for (const [at, Body] of bodies.entries()) {
      const named = { Bucket, Key, UploadId: begun.UploadId, PartNumber: at + 1 };
      const sent = await client.send(new UploadPartCommand({ ...named, Body, ChecksumAlgorithm }));
      const { ETag, ChecksumSHA256, ChecksumCRC32, ChecksumCRC64NVME } = sent;
      Parts.push({ ETag, ChecksumSHA256, ChecksumCRC32, ChecksumCRC64NVME, PartNumber: at + 1 });
    }
    const done = { Bucket, Key, UploadId: begun.UploadId, MultipartUpload: { Parts } };
    return client.send(new CompleteMultipartUploadCommand(done));
  }

  it('cover the checksums of the parts by default', async () => {
    const sum = { ChecksumSHA256: `${composite}-2`, ChecksumType: 'COMPOSITE' };
    expect(await upload('sha', 'SHA256')).toMatchObject(sum);
    const named = { Bucket, Key: 'sha' };
    const ChecksumMode = 'ENABLED' as const;
    expect(await client.send(new HeadObjectCommand({ ...named, ChecksumMode }))).toMatchObject(sum);
    const ObjectAttributes = ['Checksum', 'ObjectParts'] as const;
    const attributes = await client.send(
      new GetObjectAttributesCommand({ ...named, ObjectAttributes: [...ObjectAttributes] }),
    );
    expect(attributes).toMatchObject({
      Checksum: sum,
      ObjectParts: {
        TotalPartsCount: 2,
        Parts: bodies.map((body) => ({
          Size: body.length,
          ChecksumSHA256: sha256(body).toString('base64'),
        })),
      },
    });
  });

  it('cover all bytes if that is requested', async () => {
    const sum = { ChecksumCRC32: crc32Of(whole), ChecksumType: 'FULL_OBJECT' };
    expect(await upload('crc', 'CRC32', 'FULL_OBJECT')).toMatchObject(sum);
    expect((await upload('nvme', 'CRC64NVME')).ChecksumType).toBe('FULL_OBJECT');
  });

  it('are returned for a part that is read', async () => {
    const named = { Bucket, Key: 'crc', PartNumber: 2, ChecksumMode: 'ENABLED' as const };
    const got = await client.send(new GetObjectCommand(named));
    expect(got).toMatchObject({ PartsCount: 2, ContentLength: 17 });
    expect(got.ChecksumCRC32).toBe(crc32Of(bodies[1] ?? Buffer.alloc(0)));
    await got.Body?.transformToByteArray();
  });

  it('must use the algorithm of the upload', async () => {
    const Key = 'mixed';
    const asked = { Bucket, Key, ChecksumAlgorithm: 'SHA256' } as const;
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(asked));
    const before = await countsIn(s3, Bucket);
    const part = { Bucket, Key, UploadId, PartNumber: 1, Body: 'x' };
    const wrong = new UploadPartCommand({ ...part, ChecksumAlgorithm: 'SHA1' });
    await expect(client.send(wrong)).rejects.toMatchObject({ name: 'InvalidRequest' });
    const bad = new UploadPartCommand({ ...part, ChecksumSHA256: composite });
    await expect(client.send(bad)).rejects.toMatchObject({ name: 'BadDigest' });
    expect(await countsIn(s3, Bucket)).toEqual(before);
  });
});

describe('a customer-provided key', () => {
  const key = randomBytes(32);
  const sse = {
    SSECustomerAlgorithm: 'AES256',
    SSECustomerKey: key.toString('base64'),
    SSECustomerKeyMD5: createHash('md5').update(key).digest('base64'),
  };

  it('encrypts all parts, and is required for each', async () => {
    const Key = 'sse-c';
    const asked = { Bucket, Key, ChecksumAlgorithm: 'CRC32', ...sse } as const;
    const begun = await client.send(new CreateMultipartUploadCommand(asked));
    expect(begun.SSECustomerKeyMD5).toBe(sse.SSECustomerKeyMD5);
    const part = { Bucket, Key, UploadId: begun.UploadId, PartNumber: 1, Body: 'secret' };
    const without = client.send(new UploadPartCommand(part));
    await expect(without).rejects.toMatchObject({ name: 'InvalidRequest' });
    const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand({ ...part, ...sse }));
    const MultipartUpload = { Parts: [{ ETag, ChecksumCRC32, PartNumber: 1 }] };
    const complete = { Bucket, Key, UploadId: begun.UploadId, MultipartUpload };
    const keyless = client.send(new CompleteMultipartUploadCommand(complete));
    await expect(keyless).rejects.toMatchObject({ name: 'InvalidRequest' });
    await client.send(new CompleteMultipartUploadCommand({ ...complete, ...sse }));
    const got = await client.send(new GetObjectCommand({ Bucket, Key, ...sse }));
    expect(await got.Body?.transformToString()).toBe('secret');
    const blind = client.send(new GetObjectCommand({ Bucket, Key }));
    await expect(blind).rejects.toMatchObject({ name: 'InvalidRequest' });
  });
});

describe('the encryption of an upload', () => {
  const HEADER = 'x-amz-server-side-encryption';
  const Key = 'repeated';
  const kms = { [HEADER]: 'aws:kms', [`${HEADER}-aws-kms-key-id`]: 'a-key' };

  it('may be repeated by each request about it, but not changed', async () => {
    await client.send(new PutObjectCommand({ Bucket, Key: 'source', Body: 'copied' }));
    const asked = { Bucket, Key, ServerSideEncryption: 'aws:kms', SSEKMSKeyId: 'a-key' } as const;
    const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand(asked));
    const uploadId = `uploadId=${encodeURIComponent(UploadId)}`;
    const part = (number: number): string => `/${Bucket}/${Key}?partNumber=${number}&${uploadId}`;
    const source = { 'x-amz-copy-source': `${Bucket}/source` };
    const document = (etag: string): string =>
      `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part></CompleteMultipartUpload>`;
    const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
      signedFetch(s3, { method, path, headers, ...(body === undefined ? {} : { body }) });

    const put = await send('PUT', part(1), kms, 'bytes');
    expect(put.status).toBe(200);
    expect(put.headers.get(HEADER)).toBe('aws:kms');
    expect((await send('PUT', part(2), { ...kms, ...source })).status).toBe(200);
    const whole = `/${Bucket}/${Key}?${uploadId}`;
    const etag = put.headers.get('etag') ?? '';
    for (const other of [{ [HEADER]: 'AES256' }, { ...kms, [`${HEADER}-aws-kms-key-id`]: 'b' }]) {
      const refused = [
        await send('PUT', part(1), other, 'other'),
        await send('PUT', part(2), { ...other, ...source }),
        await send('POST', whole, other, document(etag)),
      ];
      for (const { code } of refused) expect(code).toBe('InvalidArgument');
    }
    expect((await send('POST', whole, kms, document(etag))).status).toBe(200);
    const got = await client.send(new GetObjectCommand({ Bucket, Key }));
    expect(got).toMatchObject({ ServerSideEncryption: 'aws:kms', SSEKMSKeyId: 'a-key' });
    expect(await got.Body?.transformToString()).toBe('bytes');
  });
});

describe('a copied part', () => {
  const bytes = randomBytes(100_000);
  let UploadId: string | undefined;

  beforeAll(async () => {
    for (const Key of ['source', ' ', '?versionId'])
      await client.send(new PutObjectCommand({ Bucket, Key, Body: bytes }));
    const begun = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'copied' }));
    ({ UploadId } = begun);
  });

  const copy = (source: string, PartNumber: number, CopySourceRange?: string) => {
    const named = { Bucket, Key: 'copied', UploadId, PartNumber, CopySourceRange };
    const CopySource = `${Bucket}/${encodeURIComponent(source)}`;
    return client.send(new UploadPartCopyCommand({ ...named, CopySource }));
  };

  it('has the bytes of its range', async () => {
    const { CopyPartResult } = await copy('source', 1, 'bytes=10-80000');
    const expected = bytes.subarray(10, 80_001);
    const ETag = `"${createHash('md5').update(expected).digest('hex')}"`;
    expect(CopyPartResult).toMatchObject({ ETag, LastModified: expect.any(Date) as unknown });
  });

  it.each([' ', '?versionId'])('has all bytes of a source named "%s"', async (source) => {
    const ETag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    expect((await copy(source, 2)).CopyPartResult?.ETag).toBe(ETag);
  });

  it.each([
    ['a range past the end', () => copy('source', 3, 'bytes=0-100000'), 'InvalidRange'],
    ['an invalid range', () => copy('source', 3, 'bytes=5-'), 'InvalidArgument'],
    ['a missing source', () => copy('none', 3), 'NoSuchKey'],
    ['an invalid part number', () => copy('source', 10_001), 'InvalidArgument'],
  ])('is refused with %s', async (_, act, name) => {
    const before = await countsIn(s3, Bucket);
    await expect(act()).rejects.toMatchObject({ name });
    expect(await countsIn(s3, Bucket)).toEqual(before);
  });
});
