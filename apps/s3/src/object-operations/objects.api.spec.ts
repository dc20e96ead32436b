import { createHash, randomBytes } from 'node:crypto';
import { PutBucketLifecycleConfigurationCommand, type LifecycleRule } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';

let s3: TestS3;
let bucket: TestBucket;

beforeAll(async () => {
  s3 = await TestS3.start();
  bucket = await TestBucket.create(s3);
});
afterAll(() => s3.stop());

describe('an object', () => {
  it.each([0, 1, 16 * 1024, 16 * 1024 + 1, 1_000_000])('of %i bytes is read back', async (size) => {
    const bytes = randomBytes(size);
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    const stored = await bucket.put(`size-${size}`, bytes);
    expect(stored.ETag).toBe(etag);
    expect(stored.VersionId).toBeUndefined();
    const read = await bucket.get(`size-${size}`);
    expect([read.ETag, read.ContentLength, read.AcceptRanges]).toEqual([etag, size, 'bytes']);
    expect(Buffer.from((await read.Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true);
    const head = await bucket.head(`size-${size}`);
    expect([head.ETag, head.ContentLength]).toEqual([etag, size]);
    expect(head.ContentType).toBe('application/octet-stream');
  });

  it.each([
    ' ',
    '_',
    '/',
    '//',
    '..',
    'a/../b',
    'a//b',
    './a',
    'ä ✓ 𝒳',
    'e\u0301',
    '\u00e9',
    'a+b?c=d&e#f%g',
    '\u0001\n',
  ])('may have the key %j', async (key) => {
    await bucket.put(key, key);
    expect(await bucket.text(key)).toBe(key);
  });

  it('has a key of at most 1,024 bytes', async () => {
    await bucket.put('k'.repeat(1024), 'a');
    expect(await refusalOf(bucket.put('ä'.repeat(513), 'a'))).toBe('400 KeyTooLongError');
  });

  it('keeps its metadata and headers', async () => {
    const described = {
      CacheControl: 'no-cache',
      ContentDisposition: 'attachment; filename="a"',
      ContentEncoding: 'gzip',
      ContentLanguage: 'de',
      ContentType: 'text/plain; charset=latin1',
      ExpiresString: 'Wed, 21 Oct 2026 07:28:00 GMT',
      Metadata: { one: '1', two: ' 2' },
      StorageClass: 'STANDARD_IA' as const,
      WebsiteRedirectLocation: '/other',
    };
    const { ExpiresString, ...rest } = described;
    await bucket.put('described', 'a', {
      ...rest,
      Expires: new Date(ExpiresString),
      Tagging: 'a=1&b=2',
    });
    const expected = { ...described, Metadata: { one: '1', two: '2' } };
    expect(await bucket.head('described')).toMatchObject(expected);
    expect(await bucket.get('described')).toMatchObject({ ...expected, TagCount: 2 });
    await bucket.put('described', 'b');
    expect((await bucket.head('described')).Metadata).toEqual({});
  });

  it('is returned with the headers that the request overrides', async () => {
    await bucket.put('overridden', 'a', { ContentType: 'text/plain' });
    const overrides = {
      ResponseCacheControl: 'no-cache',
      ResponseContentDisposition: 'bla',
      ResponseContentEncoding: 'aaa',
      ResponseContentLanguage: 'esperanto',
      ResponseContentType: 'foo/bar',
    };
    expect(await bucket.get('overridden', overrides)).toMatchObject({
      CacheControl: 'no-cache',
      ContentDisposition: 'bla',
      ContentEncoding: 'aaa',
      ContentLanguage: 'esperanto',
      ContentType: 'foo/bar',
    });
    const broken = bucket.get('overridden', { ResponseContentType: 'a\r\nb: c' });
    expect(await refusalOf(broken)).toBe('400 InvalidArgument');
  });

  it('that does not exist is not found', async () => {
    expect(await refusalOf(bucket.get('nothing'))).toBe('404 NoSuchKey');
    expect(await refusalOf(bucket.head('nothing'))).toBe('404 NotFound');
  });

  it('can be deleted repeatedly', async () => {
    await bucket.put('deleted', 'a');
    const deleted = await bucket.delete('deleted');
    expect([deleted.$metadata.httpStatusCode, deleted.VersionId]).toEqual([204, undefined]);
    expect(await refusalOf(bucket.get('deleted'))).toBe('404 NoSuchKey');
    await bucket.delete('deleted');
  });

  it('shows when it will expire', async () => {
    const forgetful = await TestBucket.create(s3);
    const rule = {
      ID: 'soon',
      Status: 'Enabled',
      Filter: { Prefix: 'a/' },
      Expiration: { Days: 2 },
    };
    await forgetful.client.send(
      new PutBucketLifecycleConfigurationCommand({
        Bucket: forgetful.name,
        LifecycleConfiguration: { Rules: [rule as LifecycleRule] },
      }),
    );
    const expiry = expect.stringMatching(/^expiry-date="\w{3}, .* GMT", rule-id="soon"$/);
    expect((await forgetful.put('a/b', 'a')).Expiration).toEqual(expiry);
    expect((await forgetful.head('a/b')).Expiration).toEqual(expiry);
    expect((await forgetful.put('b', 'a')).Expiration).toBeUndefined();
  });

  it('is returned with its checksum if asked for', async () => {
    const { ChecksumSHA256 } = await bucket.put('checked', 'a', { ChecksumAlgorithm: 'SHA256' });
    const sha256 = createHash('sha256').update('a').digest('base64');
    expect(ChecksumSHA256).toBe(sha256);
    expect((await bucket.head('checked')).ChecksumSHA256).toBeUndefined();
    const checked = await bucket.head('checked', { ChecksumMode: 'ENABLED' });
    expect([checked.ChecksumSHA256, checked.ChecksumType]).toEqual([sha256, 'FULL_OBJECT']);
  });
});

describe('a range', () => {
  const content = randomBytes(100_000);

  beforeAll(async () => {
    await bucket.put('small', 'testcontent');
    await bucket.put('large', content);
    await bucket.put('empty', '');
  });

  it.each([
    ['bytes=4-7', 'cont', 'bytes 4-7/11'],
    ['bytes=4-', 'content', 'bytes 4-10/11'],
    ['bytes=-7', 'content', 'bytes 4-10/11'],
    ['bytes=9-99', 'nt', 'bytes 9-10/11'],
  ])('%s is returned', async (Range, text, ContentRange) => {
    const answer = await bucket.get('small', { Range });
    expect(answer).toMatchObject({ ContentRange, ContentLength: text.length });
    expect(answer.$metadata.httpStatusCode).toBe(206);
    expect(await answer.Body?.transformToString()).toBe(text);
  });

  it('of bytes in the store is returned', async () => {
    const bytes = await bucket.bytes('large', { Range: 'bytes=65000-66999' });
    expect(bytes.equals(content.subarray(65_000, 67_000))).toBe(true);
  });

  it('is described by HEAD as by GET', async () => {
    const answer = await bucket.head('large', { Range: 'bytes=10-19' });
    expect([answer.ContentLength, answer.$metadata.httpStatusCode]).toEqual([10, 206]);
  });

  it('is ignored if it has several parts', async () => {
    expect(await bucket.text('small', { Range: 'bytes=0-1,3-4' })).toBe('testcontent');
  });

  it.each([
    ['small', 'bytes=40-50'],
    ['small', 'bytes=11-'],
    ['empty', 'bytes=0-'],
  ])('past the end of the %s one is refused: %s', async (key, Range) => {
    const error: unknown = await bucket.get(key, { Range }).catch((thrown: unknown) => thrown);
    const size = key === 'small' ? '11' : '0';
    expect(error).toMatchObject({
      name: 'InvalidRange',
      RangeRequested: Range,
      ActualObjectSize: size,
    });
  });

  it('cannot be combined with a part number', async () => {
    const both = bucket.get('small', { Range: 'bytes=0-1', PartNumber: 1 });
    expect(await refusalOf(both)).toBe('400 InvalidRequest');
  });

  it('of the first part is all of an object without parts', async () => {
    expect(await bucket.text('small', { PartNumber: 1 })).toBe('testcontent');
    expect(await refusalOf(bucket.get('small', { PartNumber: 2 }))).toBe('400 InvalidPart');
    expect(await refusalOf(bucket.get('small', { PartNumber: 0 }))).toBe('400 InvalidArgument');
  });
});

describe('a condition', () => {
  const past = new Date('2000-01-01');
  const future = new Date('2100-01-01');

  it('decides whether an object is read', async () => {
    const { ETag } = await bucket.put('read', 'a');
    expect(await bucket.text('read', { IfMatch: ETag, IfUnmodifiedSince: past })).toBe('a');
    expect(await bucket.text('read', { IfNoneMatch: 'x', IfModifiedSince: future })).toBe('a');
    expect(await refusalOf(bucket.get('read', { IfMatch: 'x' }))).toBe('412 PreconditionFailed');
    expect(await refusalOf(bucket.get('read', { IfUnmodifiedSince: past }))).toBe(
      '412 PreconditionFailed',
    );
  });

  it('for an unchanged object is answered without a body', async () => {
    const { ETag } = await bucket.put('read', 'a');
    const error: unknown = await bucket.get('read', { IfNoneMatch: ETag }).catch((e: unknown) => e);
    const { $metadata, $response } = error as {
      $metadata: { httpStatusCode: number };
      $response: { headers: Record<string, string> };
    };
    expect([$metadata.httpStatusCode, $response.headers['etag']]).toEqual([304, ETag]);
    expect($response.headers['last-modified']).toBeDefined();
    expect(await refusalOf(bucket.head('read', { IfModifiedSince: future }))).toMatch(/^304/);
  });

  it('decides whether an object is written', async () => {
    const { ETag } = await bucket.put('written', 'a', { IfNoneMatch: '*' });
    const failed = '412 PreconditionFailed';
    expect(await refusalOf(bucket.put('written', 'b', { IfNoneMatch: '*' }))).toBe(failed);
    expect(await refusalOf(bucket.put('written', 'b', { IfNoneMatch: ETag }))).toBe(failed);
    expect(await refusalOf(bucket.put('written', 'b', { IfMatch: 'x' }))).toBe(failed);
    expect(await bucket.text('written')).toBe('a');
    await bucket.put('written', 'b', { IfMatch: ETag });
    expect(await bucket.text('written')).toBe('b');
    expect(await refusalOf(bucket.put('missing', 'b', { IfMatch: '*' }))).toBe('404 NoSuchKey');
  });

  it('decides whether an object is deleted', async () => {
    const { ETag } = await bucket.put('kept', 'abc');
    const { LastModified } = await bucket.head('kept');
    for (const condition of [
      { IfMatch: 'x' },
      { IfMatchSize: 4 },
      { IfMatchLastModifiedTime: past },
    ]) {
      expect(await refusalOf(bucket.delete('kept', condition))).toBe('412 PreconditionFailed');
    }
    expect(await bucket.text('kept')).toBe('abc');
    const all = { IfMatch: ETag, IfMatchSize: 3, IfMatchLastModifiedTime: LastModified };
    await bucket.delete('kept', all);
    expect(await refusalOf(bucket.get('kept'))).toBe('404 NoSuchKey');
    await bucket.delete('kept', all);
  });
});

describe('a refused object', () => {
  const md5 = createHash('md5').update('other').digest('base64');

  it.each([
    ['a wrong MD5', 'BadDigest', { ContentMD5: md5 }],
    ['an invalid MD5', 'InvalidDigest', { ContentMD5: 'YWJj' }],
    ['a wrong checksum', 'BadDigest', { ChecksumCRC32: 'AAAAAA==' }],
    ['an unknown storage class', 'InvalidStorageClass', { StorageClass: 'COLD' as never }],
    ['too much metadata', 'MetadataTooLarge', { Metadata: { a: 'v'.repeat(2048) } }],
    ['invalid tags', 'InvalidTag', { Tagging: 'a=1&a=2' }],
    ['an invalid redirect', 'InvalidRedirectLocation', { WebsiteRedirectLocation: 'a' }],
    [
      'a lock that the bucket does not allow',
      'InvalidRequest',
      { ObjectLockLegalHoldStatus: 'ON' },
    ],
  ] as const)('with %s leaves nothing behind', async (_, code, more) => {
    const empty = await TestBucket.create(s3);
    for (const size of [10, 100_000])
      expect(await refusalOf(empty.put('a', 'a'.repeat(size), more))).toBe(`400 ${code}`);
    expect(await empty.left()).toEqual({ versions: 0, kept: 0 });
  });
});
