/** Presigned URLs: their holders may do exactly what was signed. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';
import {
  answerTo,
  presigned,
  signature2,
  version2,
  type Answered,
  type Headers,
} from './signing.fixture.js';

let s3: TestS3;
let bucket: TestBucket;

beforeAll(async () => {
  s3 = await TestS3.start();
  bucket = await TestBucket.create(s3);
  await bucket.put('here', 'text');
});
afterAll(() => s3.stop());

const pathOf = (key: string): string => `/${bucket.name}/${key}`;
const failureOf = ({ status, code }: Answered): string => `${status} ${code}`;

describe('a presigned URL', () => {
  const get = (query: Readonly<Record<string, string>> = {}): Promise<string> =>
    presigned(s3, { method: 'GET', path: pathOf('here'), query });

  it('can read an object, with the response headers that it requests', async () => {
    const path = await get({ 'response-content-type': 'text/x', 'x-id': 'GetObject' });
    const answer = await fetch(s3.url + path);
    expect([answer.status, await answer.text()]).toEqual([200, 'text']);
    expect(answer.headers.get('content-type')).toBe('text/x');
  });

  it('can write an object, with the headers that its signer moved into it', async () => {
    const headers = {
      'x-amz-meta-a': 'b c',
      'x-amz-storage-class': 'STANDARD_IA',
      // Amazon's client signs that of an empty body.
      'x-amz-checksum-crc32': 'AAAAAA==',
      'x-amz-sdk-checksum-algorithm': 'CRC32',
    };
    const path = await presigned(s3, { method: 'PUT', path: pathOf('written'), headers });
    expect(await answerTo(s3, { method: 'PUT', path }, {}, 'text')).toMatchObject({ status: 200 });
    const stored = { Metadata: { a: 'b c' }, StorageClass: 'STANDARD_IA', ContentLength: 4 };
    expect(await bucket.head('written')).toMatchObject(stored);
  });

  it('may require its holder to send headers', async () => {
    const headers = { 'x-amz-acl': 'private' };
    const stay = { stay: ['x-amz-acl'] };
    const sent = { method: 'PUT', path: pathOf('acl'), headers };
    const put = { method: 'PUT', path: await presigned(s3, sent, stay) };
    expect(failureOf(await answerTo(s3, put))).toBe('403 SignatureDoesNotMatch');
    expect(await answerTo(s3, put, headers)).toMatchObject({ status: 200 });
    const open = { 'x-amz-acl': 'public-read' };
    expect(failureOf(await answerTo(s3, put, open))).toBe('403 SignatureDoesNotMatch');
  });

  const otherDigit = (_: string, start: string, digit: string): string =>
    `${start}${digit === '0' ? '1' : '0'}`;

  it.each([
    ['another method', 'DELETE', (path: string) => path],
    ['another key', 'GET', (path: string) => path.replace('here', 'there')],
    ['another bucket', 'GET', (path: string) => path.replace('/b-', '/c-')],
    ['another parameter', 'GET', (path: string) => `${path}&versionId=null`],
    ['a longer lifetime', 'GET', (path: string) => path.replace('Expires=60', 'Expires=61')],
    ['another signature', 'GET', (path: string) => path.replace(/(Signature=)(.)/, otherDigit)],
    ['another header', 'GET', (path: string) => `${path}&x-amz-acl=public-read`],
  ])('is refused for %s', async (_, method, change) => {
    const path = change(await get());
    const answer = await answerTo(s3, { method, path });
    expect(failureOf(answer)).toBe('403 SignatureDoesNotMatch');
    expect(answer.text).not.toContain(s3.member.secret);
    expect(await bucket.text('here')).toBe('text');
  });

  it('is refused once it has expired', async () => {
    const signingDate = new Date(Date.now() - 61_000);
    const path = await presigned(s3, { method: 'GET', path: pathOf('here') }, { signingDate });
    const answer = await answerTo(s3, { method: 'GET', path });
    expect(failureOf(answer)).toBe('403 AccessDenied');
    expect(answer.text).toContain('Request has expired');
  });

  it('is refused with an unsigned header', async () => {
    const headers = { 'x-amz-server-side-encryption-customer-algorithm': 'AES256' };
    const answer = await answerTo(s3, { method: 'GET', path: await get() }, headers);
    expect(failureOf(answer)).toBe('403 AccessDenied');
  });

  it('is refused once its access key is revoked', async () => {
    const key = s3.keys.issue(s3.projectId, ['member']);
    const client = s3.client(key);
    const own = await TestBucket.create(s3, { client });
    s3.keys.revoke(key);
    await expect(own.put('a', 'b')).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
  });
});

describe('a version 2 signature', () => {
  const dated = (): string => new Date().toUTCString();
  const put = (key: string, headers: Headers, body = 'text'): Promise<Answered> =>
    answerTo(s3, { method: 'PUT', path: pathOf(key) }, headers, body);

  it('can write an object with metadata', async () => {
    const date = dated();
    const lines = ['PUT', '', 'text/a', date, 'x-amz-meta-a:b', pathOf('two')];
    const authorization = version2(s3.member, lines);
    const headers = { date, 'content-type': 'text/a', 'x-amz-meta-a': 'b', authorization };
    expect(await put('two', headers)).toMatchObject({ status: 200 });
    expect(await bucket.head('two')).toMatchObject({ ContentType: 'text/a', Metadata: { a: 'b' } });
  });

  it('can be in a URL, with the type and the headers that its signer moved there', async () => {
    const expires = Math.floor(Date.now() / 1000) + 60;
    const lines = ['PUT', '', 'text/b', `${expires}`, 'x-amz-meta-a:c', pathOf('three')];
    const query = new URLSearchParams({
      AWSAccessKeyId: s3.member.access,
      Expires: `${expires}`,
      Signature: signature2(s3.member.secret, lines),
      'content-type': 'text/b',
      'x-amz-meta-a': 'c',
    });
    const path = `${pathOf('three')}?${query.toString()}`;
    expect(await answerTo(s3, { method: 'PUT', path }, {}, 'text')).toMatchObject({ status: 200 });
    expect(await bucket.head('three')).toMatchObject({
      ContentType: 'text/b',
      Metadata: { a: 'c' },
    });
    const longer = path.replace(`Expires=${expires}`, `Expires=${expires + 1}`);
    const refused = await answerTo(s3, { method: 'PUT', path: longer }, {}, 'forged');
    expect(failureOf(refused)).toBe('403 SignatureDoesNotMatch');
    expect(await bucket.text('three')).toBe('text');
  });

  it.each([
    ['', 'AccessDenied'],
    ['Bad Date', 'AccessDenied'],
    ['Tue, 07 Jul 1950 21:53:04 GMT', 'AccessDenied'],
    ['Tue, 07 Jul 2010 21:53:04 GMT', 'RequestTimeTooSkewed'],
    ['Tue, 07 Jul 9999 21:53:04 GMT', 'RequestTimeTooSkewed'],
  ])('is refused with the date "%s"', async (date, code) => {
    const lines = ['PUT', '', '', '', `x-amz-date:${date}`, pathOf('four')];
    const headers = { 'x-amz-date': date, authorization: version2(s3.member, lines) };
    expect(failureOf(await put('four', headers))).toBe(`403 ${code}`);
  });

  it.each([
    ['AWS HAHAHA', '400 InvalidArgument'],
    ['Basic YTpi', '400 InvalidArgument'],
    ['AWS unknown:c2lnbmF0dXJl', '403 InvalidAccessKeyId'],
  ])('is refused as %s', async (authorization, failure) => {
    expect(failureOf(await put('four', { date: dated(), authorization }))).toBe(failure);
  });
});
