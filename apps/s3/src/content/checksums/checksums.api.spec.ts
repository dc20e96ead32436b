/** Every algorithm that clients name, wherever S3 takes or shows a checksum. */
import { randomBytes } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerTo, signedHeaders, type Answered } from '../../auth/signing.fixture.js';
import { TestBucket } from '../../objects/objects.fixture.js';
import { TestS3 } from '../../s3.fixture.js';
import { signedFetch } from '../../signed-fetch.fixture.js';
import {
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  checksumHeaderOf,
  beginChecksum,
} from './checksum.js';

const MIB = 1024 * 1024;

let s3: TestS3;
/** Sends checksums only where it is told to. */
let client: S3Client;
let bucket: TestBucket;

beforeAll(async () => {
  s3 = await TestS3.start();
  client = s3.client(s3.member, { requestChecksumCalculation: 'WHEN_REQUIRED' });
  bucket = await TestBucket.create(s3, { client });
});
afterAll(() => s3.stop());

async function sumOf(algorithm: ChecksumAlgorithm, ...pieces: Uint8Array[]): Promise<string> {
  const checksum = await beginChecksum(algorithm);
  for (const piece of pieces) checksum.update(piece);
  return checksum.digest().toString('base64');
}

const put = (key: string, body: string, headers: Readonly<Record<string, string>>) =>
  signedFetch(s3, { method: 'PUT', path: `/${bucket.name}/${key}`, headers, body });

describe.each(CHECKSUM_ALGORITHMS)('%s', (algorithm) => {
  const header = checksumHeaderOf(algorithm);
  const field = `Checksum${algorithm}` as const;

  it('of an object is verified, stored and returned', async () => {
    const [key, body] = [`header-${algorithm}`, `of ${algorithm}`];
    const value = await sumOf(algorithm, Buffer.from(body));
    const stated = { 'x-amz-sdk-checksum-algorithm': algorithm };
    const answer = await put(key, body, { [header]: value, ...stated });
    expect([answer.status, answer.headers.get(header)]).toEqual([200, value]);
    const shown = { [field]: value, ChecksumType: 'FULL_OBJECT' };
    expect(await bucket.head(key, { ChecksumMode: 'ENABLED' })).toMatchObject(shown);
    // The SDK itself knows only some of them where it reads.
    const mode = { 'x-amz-checksum-mode': 'ENABLED' };
    const path = `/${bucket.name}/${key}`;
    const read = await signedFetch(s3, { method: 'GET', path, headers: mode });
    expect([read.text, read.headers.get(header)]).toEqual([body, value]);
    const asked = { Bucket: bucket.name, Key: key, ObjectAttributes: ['Checksum' as const] };
    const { Checksum } = await client.send(new GetObjectAttributesCommand(asked));
    expect(Checksum).toEqual(shown);
    const list = new ListObjectsV2Command({ Bucket: bucket.name, Prefix: key });
    expect((await client.send(list)).Contents).toMatchObject([{ ChecksumAlgorithm: [algorithm] }]);
  });

  it.each(['the other', ''])(
    'stores nothing if it does not match or is invalid: %j',
    async (other) => {
      const key = `refused-${algorithm}`;
      await bucket.put(key, 'before');
      const value = other === '' ? 'AAA' : await sumOf(algorithm, Buffer.from(other));
      expect((await put(key, 'one', { [header]: value })).code).toBe('BadDigest');
      expect(await bucket.text(key)).toBe('before');
    },
  );

  it('may follow the body', async () => {
    const [key, body] = [`trailer-${algorithm}`, 'behind'];
    const sent = { method: 'PUT', path: `/${bucket.name}/${key}` };
    const send = async (value: string): Promise<Answered> => {
      const headers = {
        'content-encoding': 'aws-chunked',
        'x-amz-decoded-content-length': '6',
        'x-amz-trailer': header,
      };
      const all = await signedHeaders(
        s3,
        { ...sent, headers },
        'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      );
      return answerTo(s3, sent, all, `6\r\n${body}\r\n0\r\n${header}:${value}\r\n\r\n`);
    };
    const value = await sumOf(algorithm, Buffer.from(body));
    expect((await send(value)).status).toBe(200);
    expect(await bucket.head(key, { ChecksumMode: 'ENABLED' })).toMatchObject({ [field]: value });
    expect((await send(await sumOf(algorithm))).code).toBe('BadDigest');
    expect((await signedFetch(s3, { ...sent, method: 'GET' })).text).toBe(body);
  });

  it('is computed for a copy', async () => {
    const Key = `copy-${algorithm}`;
    await bucket.put(`${Key}-source`, 'copied');
    const source = { Bucket: bucket.name, CopySource: `${bucket.name}/${Key}-source` };
    const copy = new CopyObjectCommand({ ...source, Key, ChecksumAlgorithm: algorithm });
    const value = await sumOf(algorithm, Buffer.from('copied'));
    expect((await client.send(copy)).CopyObjectResult).toMatchObject({ [field]: value });
  });

  it('of a multipart object covers its parts', async () => {
    const object = { Bucket: bucket.name, Key: `parts-${algorithm}` };
    const create = new CreateMultipartUploadCommand({ ...object, ChecksumAlgorithm: algorithm });
    const { UploadId, ChecksumType } = await client.send(create);
    expect(ChecksumType).toBe(algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE');
    const bodies = [randomBytes(5 * MIB), randomBytes(10)];
    const parts: CompletedPart[] = [];
    for (const [at, Body] of bodies.entries()) {
      const part = { ...object, UploadId, PartNumber: at + 1, Body };
      const value = await sumOf(algorithm, Body);
      const wrong = new UploadPartCommand({ ...part, [field]: await sumOf(algorithm) });
      await expect(client.send(wrong)).rejects.toMatchObject({ name: 'BadDigest' });
      const sent = await client.send(new UploadPartCommand({ ...part, [field]: value }));
      expect(sent).toMatchObject({ [field]: value });
      parts.push({ PartNumber: at + 1, ETag: sent.ETag, [field]: value });
    }
    const listed = await client.send(new ListPartsCommand({ ...object, UploadId }));
    expect(listed.Parts).toMatchObject(parts);
    const sums = await Promise.all(bodies.map((body) => sumOf(algorithm, body)));
    const expected =
      algorithm === 'CRC64NVME'
        ? await sumOf(algorithm, ...bodies)
        : `${await sumOf(algorithm, ...sums.map((one) => Buffer.from(one, 'base64')))}-2`;
    const all = { ...object, UploadId, MultipartUpload: { Parts: parts } };
    const complete = new CompleteMultipartUploadCommand({ ...all, [field]: expected });
    expect(await client.send(complete)).toMatchObject({ [field]: expected });
    const head = await bucket.head(object.Key, { ChecksumMode: 'ENABLED' });
    expect(head).toMatchObject({ [field]: expected });
  });
});
