/** Bodies as clients frame and sign them; a refused one leaves nothing stored. */
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { eventually } from '@cumulet/testing/settle';
import { TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';
import {
  answerOf,
  answerTo,
  openRequest,
  sha256,
  signedChunks,
  signedHeaders,
  type Answered,
  type Headers,
} from './signing.fixture.js';

const SIGNED = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';
const SIGNED_TRAILER = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER';
const UNSIGNED_TRAILER = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
/** More than a row holds. */
const CHUNKS = ['a'.repeat(65_536), 'b'.repeat(9_000), 'c'];
const ALL = CHUNKS.join('');
const ENCODED = 'aws-chunked';

let s3: TestS3;
let bucket: TestBucket;

beforeAll(async () => {
  s3 = await TestS3.start();
  bucket = await TestBucket.create(s3);
});
afterAll(() => s3.stop());

const crc = (text: string): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64');
};
const TRAILER = `x-amz-checksum-crc32:${crc(ALL)}`;

const target = (key: string) => ({ method: 'PUT', path: `/${bucket.name}/${key}` });

const headersFor = (key: string, payload: string, more: Headers = {}): Promise<Headers> => {
  const trailer: Headers = payload.endsWith('TRAILER')
    ? { 'x-amz-trailer': 'x-amz-checksum-crc32' }
    : {};
  const framed = { 'content-encoding': ENCODED, 'x-amz-decoded-content-length': `${ALL.length}` };
  const headers = { ...(payload.startsWith('STREAMING') ? framed : {}), ...trailer, ...more };
  return signedHeaders(s3, { ...target(key), headers }, payload);
};

async function put(
  key: string,
  payload: string,
  body: (headers: Headers) => string,
  more: Headers = {},
): Promise<Answered> {
  const headers = await headersFor(key, payload, more);
  return answerTo(s3, target(key), headers, body(headers));
}

const unsigned = (chunks: readonly string[], trailer: string): string => {
  const framed = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  return `${framed.join('')}0\r\n${trailer}\r\n\r\n`;
};

describe('a chunked body', () => {
  it.each([
    ['signed', SIGNED, (headers: Headers) => signedChunks(s3.member, headers, CHUNKS)],
    [
      'with a signed trailer',
      SIGNED_TRAILER,
      (headers: Headers) => signedChunks(s3.member, headers, CHUNKS, TRAILER),
    ],
    ['with a trailer', UNSIGNED_TRAILER, () => unsigned(CHUNKS, TRAILER)],
    ['with trailing empty lines', UNSIGNED_TRAILER, () => unsigned(CHUNKS, `${TRAILER}\n`)],
  ])('is stored without its framing: %s', async (name, payload, body) => {
    const key = name.replaceAll(' ', '-');
    const answer = await put(key, payload, body, { 'content-encoding': `${ENCODED},gzip` });
    expect(answer).toMatchObject({ status: 200 });
    const stored = await bucket.get(key);
    expect(stored).toMatchObject({ ContentLength: ALL.length, ContentEncoding: 'gzip' });
    expect(await stored.Body?.transformToString()).toBe(ALL);
  });

  it('is what an SDK sends for a stream', async () => {
    const object = { Bucket: bucket.name, Key: 'stream', ContentLength: ALL.length };
    await bucket.client.send(new PutObjectCommand({ ...object, Body: Readable.from(CHUNKS) }));
    expect(await bucket.text('stream')).toBe(ALL);
  });
});

describe('nothing is stored from', () => {
  const stays = async (sent: Promise<Answered>, failure: string): Promise<void> => {
    const before = await bucket.left();
    const { status, code } = await sent;
    expect(`${status} ${code}`).toBe(failure);
    expect(await bucket.left()).toEqual(before);
  };

  const signed = (change: (body: string) => string, chunks: readonly string[] = CHUNKS) =>
    put('refused', SIGNED, (headers) => change(signedChunks(s3.member, headers, chunks)));

  const otherDigit = (_: string, start: string, digit: string): string =>
    `${start}${digit === '0' ? '1' : '0'}`;

  it.each([
    ['modified bytes', (body: string) => body.replace('aaaa', 'aaba')],
    ['a wrong signature', (body: string) => body.replace(/(;chunk-signature=)(.)/, otherDigit)],
    [
      'a forged last chunk',
      (body: string) => body.replace(/(\n0;chunk-signature=)(.)/, otherDigit),
    ],
  ])('signed chunks with %s', async (_, change) => {
    await stays(signed(change), '403 SignatureDoesNotMatch');
    await expect(bucket.head('refused')).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('signed chunks that end early, or differ in number from what was announced', async () => {
    await stays(
      signed((body) => body.slice(0, 70_000)),
      '400 IncompleteBody',
    );
    await stays(
      signed((body) => body, CHUNKS.slice(1)),
      '400 IncompleteBody',
    );
    await stays(
      signed((body) => body, [...CHUNKS, 'd']),
      '400 IncompleteBody',
    );
  });

  it('chunks signed for another request', async () => {
    const other = await headersFor('other', SIGNED);
    await stays(
      put('refused', SIGNED, () => signedChunks(s3.member, other, CHUNKS)),
      '403 SignatureDoesNotMatch',
    );
  });

  it('chunks whose trailer differs from the signed one, or does not match the bytes', async () => {
    const wrong = `x-amz-checksum-crc32:${crc('other')}`;
    const forged = (headers: Headers): string =>
      signedChunks(s3.member, headers, CHUNKS, TRAILER).replace(TRAILER, wrong);
    await stays(put('refused', SIGNED_TRAILER, forged), '403 SignatureDoesNotMatch');
    const unlike = (headers: Headers): string => signedChunks(s3.member, headers, CHUNKS, wrong);
    await stays(put('refused', SIGNED_TRAILER, unlike), '400 BadDigest');
    const body = unsigned(CHUNKS, wrong);
    await stays(
      put('refused', UNSIGNED_TRAILER, () => body),
      '400 BadDigest',
    );
  });

  it.each([
    ['is announced but missing', '\r\n'],
    ['is sent but not announced', `${TRAILER}\r\nx-amz-meta-a:b`],
    ['has no colon', 'x-amz-checksum-crc32'],
    ['has no name', `:a\r\n${TRAILER}`],
  ])('chunks with a trailer that %s', async (_, trailer) => {
    await bucket.put('refused', 'before');
    await stays(
      put('refused', UNSIGNED_TRAILER, () => unsigned(CHUNKS, trailer)),
      '400 MalformedTrailerError',
    );
    expect(await bucket.text('refused')).toBe('before');
    await bucket.delete('refused');
  });

  it.each([
    ['ends early', (body: string) => body.slice(0, 70_000)],
    [
      'has a chunk longer than its stated length',
      (body: string) => body.replace('1\r\nc', '0\r\nc'),
    ],
    [
      'has a chunk shorter than its stated length',
      (body: string) => body.replace('1\r\nc', '2\r\nc'),
    ],
    ['has fewer bytes than announced', () => unsigned(CHUNKS.slice(1), TRAILER)],
  ])('a chunked body that %s', async (_, change) => {
    await stays(
      put('refused', UNSIGNED_TRAILER, () => change(unsigned(CHUNKS, TRAILER))),
      '400 IncompleteBody',
    );
  });

  it('chunks without an announced length', async () => {
    const headers = { 'content-encoding': ENCODED, 'x-amz-trailer': 'x-amz-checksum-crc32' };
    const all = await signedHeaders(s3, { ...target('refused'), headers }, UNSIGNED_TRAILER);
    await stays(
      answerTo(s3, target('refused'), all, unsigned(CHUNKS, TRAILER)),
      '411 MissingContentLength',
    );
  });

  it('a body whose hash differs from the signed one', async () => {
    await stays(
      put('refused', sha256(ALL), () => `${ALL}!`),
      '400 XAmzContentSHA256Mismatch',
    );
    await stays(
      put('refused', 'nonsense', () => ALL),
      '400 InvalidArgument',
    );
  });

  it('an upload that its client aborts', async () => {
    const headers = await headersFor('refused', 'UNSIGNED-PAYLOAD', { 'content-length': '99999' });
    const before = await bucket.left();
    const request = openRequest(s3, target('refused'), headers);
    const answer = answerOf(request);
    request.write('a'.repeat(50_000));
    // Data of earlier failures remains until the service removes it.
    await eventually('its first bytes are loose', async () => (await held()) > 0);
    request.destroy();
    await expect(answer).rejects.toThrow();
    await eventually('they are given up', async () => (await held()) === 0);
    expect(await bucket.left()).toEqual(before);
  });

  it('an upload whose client stalls', async () => {
    // A second is too short for others while the machine is busy.
    const hasty = await TestS3.start({ stallSeconds: 1 });
    try {
      const own = await TestBucket.create(hasty);
      const sent = { method: 'PUT', path: `/${own.name}/refused` };
      const length = { 'content-length': '99999' };
      const headers = await signedHeaders(hasty, { ...sent, headers: length }, 'UNSIGNED-PAYLOAD');
      const request = openRequest(hasty, sent, headers);
      const answer = answerOf(request);
      request.write('a'.repeat(50_000));
      expect(await answer).toMatchObject({ status: 400, code: 'RequestTimeout' });
      request.destroy();
      expect(await own.left()).toEqual({ versions: 0, kept: 0 });
    } finally {
      await hasty.stop();
    }
  });
});

/** How much data is loose that may still be put to use. */
async function held(): Promise<number> {
  const rows: { count: number }[] = await s3.started.ctx.manager.query(
    'SELECT count(*)::int FROM loose_data WHERE until > now()',
  );
  return rows[0]?.count ?? 0;
}
