import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';

const SMALL = Buffer.from('a secret '.repeat(100));
const LARGE = Buffer.from('a secret '.repeat(20_000));
const WRONG = createHash('sha256').update('other').digest('base64');

let s3: TestS3;
let bucket: TestBucket;

beforeAll(async () => {
  s3 = await TestS3.start();
  bucket = await TestBucket.create(s3);
});
afterAll(() => s3.stop());

function customerKey(): { SSECustomerAlgorithm: 'AES256'; SSECustomerKey: string } {
  const SSECustomerKey = randomBytes(32).toString('base64');
  return { SSECustomerAlgorithm: 'AES256', SSECustomerKey };
}

describe('an encrypted object', () => {
  it.each([SMALL, LARGE])("with the service's key says so and is read back", async (bytes) => {
    const stored = await bucket.put('sse-s3', bytes, { ServerSideEncryption: 'AES256' });
    expect(stored.ServerSideEncryption).toBe('AES256');
    expect(stored.ETag).toBe(`"${createHash('md5').update(bytes).digest('hex')}"`);
    const head = await bucket.head('sse-s3');
    expect([head.ServerSideEncryption, head.ContentLength]).toEqual(['AES256', bytes.length]);
    expect((await bucket.bytes('sse-s3')).equals(bytes)).toBe(true);
    const part = await bucket.bytes('sse-s3', { Range: 'bytes=500-700' });
    expect(part.equals(bytes.subarray(500, 701))).toBe(true);
  });

  it('with a named key returns its name', async () => {
    const kms = { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: 'a-key' } as const;
    await bucket.put('sse-kms', LARGE, kms);
    const head = await bucket.head('sse-kms');
    expect([head.ServerSideEncryption, head.SSEKMSKeyId]).toEqual(['aws:kms', 'a-key']);
    expect((await bucket.bytes('sse-kms')).equals(LARGE)).toBe(true);
  });

  it('with a customer-provided key can be read with that key alone', async () => {
    const key = customerKey();
    const stored = await bucket.put('sse-c', LARGE, key);
    expect(stored.SSECustomerAlgorithm).toBe('AES256');
    expect((await bucket.bytes('sse-c', key)).equals(LARGE)).toBe(true);
    expect(await refusalOf(bucket.get('sse-c'))).toBe('400 InvalidRequest');
    expect(await refusalOf(bucket.get('sse-c', customerKey()))).toBe('403 AccessDenied');
    // An answer to HEAD has no body that could say why.
    expect(await refusalOf(bucket.head('sse-c'))).toMatch(/^400 /);
    await bucket.put('plain', SMALL);
    expect(await refusalOf(bucket.get('plain', key))).toBe('400 InvalidRequest');
  });

  it('leaves none of its plaintext in the row', async () => {
    await bucket.put('hidden', SMALL, { ServerSideEncryption: 'AES256' });
    const rows: { inline: Buffer; encryption: object }[] = await s3.started.ctx.manager.query(
      `SELECT inline, encryption FROM objects WHERE key = 'hidden'`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.inline.includes('secret')).toBe(false);
    expect(rows[0]?.encryption).toMatchObject({ kind: 'SSE-S3' });
  });
});

describe('a PUT that is refused', () => {
  it.each<[string, string, Parameters<TestBucket['put']>[2]]>([
    ['400 BadDigest', 'a wrong checksum', { ChecksumSHA256: WRONG }],
    ['400 BadDigest', 'what is no checksum', { ChecksumSHA256: 'bad' }],
    ['400 BadDigest', 'a wrong MD5', { ContentMD5: 'CY9rzUYh03PK3k6DJie09g==' }],
    ['400 InvalidDigest', 'what is no MD5', { ContentMD5: 'bad' }],
    ['400 InvalidArgument', 'a named key without a name', { ServerSideEncryption: 'aws:kms' }],
    ['400 InvalidArgument', 'a name without a method', { SSEKMSKeyId: 'a-key' }],
    ['400 InvalidEncryptionAlgorithmError', 'a method', { ServerSideEncryption: 'DES' as never }],
  ])('with %s for %s stores nothing', async (refusal, _, more) => {
    const fresh = await TestBucket.create(s3);
    for (const bytes of [SMALL, LARGE])
      expect(await refusalOf(fresh.put('key', bytes, more))).toBe(refusal);
    expect(await fresh.left()).toEqual({ versions: 0, kept: 0 });
  });
});

describe('the checksums of all algorithms', () => {
  it.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const)(
    'may follow the body, and are verified and returned: %s',
    async (algorithm) => {
      const member = `Checksum${algorithm}` as const;
      const stored = await bucket.put(algorithm, LARGE, { ChecksumAlgorithm: algorithm });
      const read = await bucket.get(algorithm, { ChecksumMode: 'ENABLED' });
      expect(stored[member]).toBeDefined();
      expect(read[member]).toBe(stored[member]);
      // The client compares them too, and fails if they differ.
      expect(Buffer.from((await read.Body?.transformToByteArray()) ?? []).equals(LARGE)).toBe(true);
    },
  );
});
