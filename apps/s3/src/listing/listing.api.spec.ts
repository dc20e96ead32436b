import {
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  paginateListObjectsV2,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { TestS3 } from '../s3.fixture.js';
import { signedFetch, type SignedAnswer } from '../signed-fetch.fixture.js';

let s3: TestS3;
let client: S3Client;

beforeAll(async () => {
  s3 = await TestS3.start();
  client = s3.client();
});
afterAll(() => s3.stop());

async function bucketWith(keys: readonly string[], isVersioned = false): Promise<string> {
  const Bucket = `b-${newId()}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  const VersioningConfiguration = { Status: 'Enabled' } as const;
  if (isVersioned)
    await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
  for (const Key of keys) await client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  return Bucket;
}

const get = (bucket: string, query: string): Promise<SignedAnswer> =>
  signedFetch(s3, { method: 'GET', path: `/${bucket}?${query}` });

/** The texts of all elements of this name. */
const textsOf = ({ text }: SignedAnswer, name: string): (string | undefined)[] =>
  [...text.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map((match) => match[1]);

const KEYS = ['asdf', 'boo/bar', 'boo/baz/xyzzy', 'cquux/bla', 'cquux/thud', 'zé'];

describe('ListObjects', () => {
  it('describes each object', async () => {
    const Bucket = await bucketWith(['bar', 'foo']);
    const list = await client.send(new ListObjectsCommand({ Bucket }));
    expect(list).toMatchObject({
      Name: Bucket,
      Prefix: '',
      Marker: '',
      MaxKeys: 1000,
      IsTruncated: false,
    });
    expect(list.NextMarker ?? list.Delimiter ?? list.CommonPrefixes).toBeUndefined();
    expect(list.Contents).toMatchObject([
      {
        Key: 'bar',
        ETag: '"37b51d194a7513e45b56f6524f2d51f2"',
        Size: 3,
        StorageClass: 'STANDARD',
        ChecksumAlgorithm: ['CRC32'],
        ChecksumType: 'FULL_OBJECT',
        Owner: { ID: s3.projectId, DisplayName: s3.projectId },
        LastModified: expect.any(Date),
      },
      { Key: 'foo' },
    ]);
  });

  it('continues from markers, which may be common prefixes', async () => {
    const Bucket = await bucketWith(KEYS);
    const seen: unknown[] = [];
    let Marker: string | undefined;
    do {
      const asked = { Bucket, Delimiter: '/', MaxKeys: 1, Marker };
      const page = await client.send(new ListObjectsCommand(asked));
      seen.push(page.Contents?.[0]?.Key ?? page.CommonPrefixes?.[0]?.Prefix);
      expect(page.IsTruncated).toBe(page.NextMarker !== undefined);
      Marker = page.NextMarker;
    } while (Marker !== undefined);
    expect(seen).toEqual(['asdf', 'boo/', 'cquux/', 'zé']);
  });

  it('returns no next marker without a delimiter, as that is the last key', async () => {
    const Bucket = await bucketWith(['a', 'b', 'c']);
    const page = await client.send(new ListObjectsCommand({ Bucket, MaxKeys: 2 }));
    expect([page.IsTruncated, page.NextMarker]).toEqual([true, undefined]);
    const rest = await client.send(new ListObjectsCommand({ Bucket, Marker: 'b' }));
    expect(rest.Contents?.map(({ Key }) => Key)).toEqual(['c']);
  });

  it('may be unordered, but not with a delimiter', async () => {
    const bucket = await bucketWith(['a/b', 'c']);
    const all = await get(bucket, 'allow-unordered=true');
    expect(textsOf(all, 'Key')).toEqual(['a/b', 'c']);
    const grouped = await get(bucket, 'allow-unordered=true&delimiter=%2F');
    expect(grouped).toMatchObject({ status: 400, code: 'InvalidArgument' });
  });

  it('hides deleted objects', async () => {
    const Bucket = await bucketWith(['a', 'b'], true);
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
    const list = await client.send(new ListObjectsCommand({ Bucket }));
    expect(list.Contents?.map(({ Key }) => Key)).toEqual(['b']);
  });
});

describe('ListObjectsV2', () => {
  it('continues from tokens', async () => {
    const Bucket = await bucketWith(KEYS);
    const asked = { Bucket, Delimiter: '/', MaxKeys: 1 };
    const seen: unknown[] = [];
    for await (const page of paginateListObjectsV2({ client }, asked)) {
      expect(page.KeyCount).toBe(1);
      seen.push(page.Contents?.[0]?.Key ?? page.CommonPrefixes?.[0]?.Prefix);
    }
    expect(seen).toEqual(['asdf', 'boo/', 'cquux/', 'zé']);
  });

  it('starts after a key, unless a token is given', async () => {
    const Bucket = await bucketWith(['bar', 'baz', 'foo', 'quxx']);
    const StartAfter = 'bar';
    const first = await client.send(new ListObjectsV2Command({ Bucket, StartAfter, MaxKeys: 1 }));
    expect(first).toMatchObject({ StartAfter, Contents: [{ Key: 'baz' }], IsTruncated: true });
    const { NextContinuationToken: ContinuationToken } = first;
    const next = { Bucket, StartAfter, ContinuationToken };
    const second = await client.send(new ListObjectsV2Command(next));
    expect(second).toMatchObject({ StartAfter, ContinuationToken, IsTruncated: false });
    expect(second.Contents?.map(({ Key }) => Key)).toEqual(['foo', 'quxx']);
  });

  it('ignores an empty token', async () => {
    const answer = await get(await bucketWith(['a']), 'list-type=2&continuation-token=');
    expect(textsOf(answer, 'Key')).toEqual(['a']);
    expect(textsOf(answer, 'ContinuationToken')).toEqual(['']);
  });

  it('shows owners only if asked', async () => {
    const Bucket = await bucketWith(['a']);
    const without = await client.send(new ListObjectsV2Command({ Bucket }));
    expect(without.Contents?.[0]).not.toHaveProperty('Owner');
    const owners = await client.send(new ListObjectsV2Command({ Bucket, FetchOwner: true }));
    expect(owners.Contents?.[0]?.Owner).toEqual({ ID: s3.projectId, DisplayName: s3.projectId });
  });

  it('with no keys left is not truncated', async () => {
    const Bucket = await bucketWith(['a']);
    const none = await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 0 }));
    expect(none).toMatchObject({ MaxKeys: 0, KeyCount: 0, IsTruncated: false });
  });

  it('returns at most 1,000 keys', async () => {
    const Bucket = await bucketWith([]);
    expect(await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 5000 }))).toMatchObject({
      MaxKeys: 1000,
    });
  });
});

describe('keys in lists', () => {
  const SPECIAL = ['a+b', 'a b', 'a&<">', 'a%41', "it's(!)*", 'ünï/日本', '\u{1f600}', '..', '//x'];

  it.each(['', '&encoding-type=url'])('are returned as they were stored%s', async (encoding) => {
    const bucket = await bucketWith(SPECIAL);
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
    const sorted = [...SPECIAL].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(Contents?.map(({ Key }) => Key)).toEqual(sorted);
    const written = textsOf(await get(bucket, `list-type=2${encoding}`), 'Key');
    if (encoding !== '')
      expect(written.map((text) => decodeURIComponent(text ?? ''))).toEqual(sorted);
  });

  it('are encoded for clients whose XML cannot contain them', async () => {
    const bucket = await bucketWith(['a+b', 'q b/x', '\u0001']);
    const list = await get(bucket, 'encoding-type=url&delimiter=%2F&prefix=&marker=%01');
    expect(textsOf(list, 'Key')).toEqual(['a%2Bb']);
    expect(textsOf(list, 'Prefix')).toEqual(['', 'q%20b/']);
    expect(textsOf(list, 'Marker')).toEqual(['%01']);
    expect(textsOf(list, 'EncodingType')).toEqual(['url']);
  });

  it('are listed once where a prefix ends with the delimiter', async () => {
    const Bucket = await bucketWith(['asdf/', 'asdf/x']);
    const asked = { Bucket, Prefix: 'asdf/', Delimiter: '/' };
    const list = await client.send(new ListObjectsCommand(asked));
    expect(list.Contents?.map(({ Key }) => Key)).toEqual(['asdf/', 'asdf/x']);
    expect(list.CommonPrefixes).toBeUndefined();
  });
});

describe('ListObjectVersions', () => {
  it('lists versions and delete markers, newest first within a key', async () => {
    const Bucket = await bucketWith(['a', 'a', 'b'], true);
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
    const list = await client.send(new ListObjectVersionsCommand({ Bucket }));
    expect(list.Versions).toMatchObject([
      { Key: 'a', IsLatest: false, Size: 1, Owner: { ID: s3.projectId } },
      { Key: 'a', IsLatest: false },
      { Key: 'b', IsLatest: true, StorageClass: 'STANDARD', ChecksumAlgorithm: ['CRC32'] },
    ]);
    expect(list.DeleteMarkers).toMatchObject([
      { Key: 'a', IsLatest: true, Owner: { ID: s3.projectId } },
    ]);
    const { text } = await get(Bucket, 'versions');
    const order = [...text.matchAll(/<(Version|DeleteMarker)>/g)].map(([, name]) => name);
    expect(order).toEqual(['DeleteMarker', 'Version', 'Version', 'Version']);
  });

  it('continues from a version, even a deleted one', async () => {
    const Bucket = await bucketWith(['a', 'a', 'a', 'a', 'b'], true);
    const first = await client.send(new ListObjectVersionsCommand({ Bucket, MaxKeys: 2 }));
    expect(first).toMatchObject({ IsTruncated: true, NextKeyMarker: 'a' });
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = first;
    expect(VersionIdMarker).toBe(first.Versions?.[1]?.VersionId);
    const next = { Bucket, KeyMarker, VersionIdMarker };
    const second = await client.send(new ListObjectVersionsCommand(next));
    expect(second).toMatchObject({ KeyMarker, VersionIdMarker, IsTruncated: false });
    const Objects = (first.Versions ?? []).map(({ Key, VersionId }) => ({ Key, VersionId }));
    await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    const third = await client.send(new ListObjectVersionsCommand(next));
    const ids = (list: typeof third) => list.Versions?.map(({ VersionId }) => VersionId);
    expect(ids(third)).toEqual(ids(second));
    expect(third.Versions?.map(({ Key }) => Key)).toEqual(['a', 'a', 'b']);
  });

  it('groups by a delimiter', async () => {
    const Bucket = await bucketWith(KEYS, true);
    const asked = { Bucket, Delimiter: '/', MaxKeys: 2 };
    const first = await client.send(new ListObjectVersionsCommand(asked));
    expect(first.CommonPrefixes).toEqual([{ Prefix: 'boo/' }]);
    expect([first.NextKeyMarker, first.NextVersionIdMarker]).toEqual(['boo/', undefined]);
    const { NextKeyMarker: KeyMarker } = first;
    const second = await client.send(new ListObjectVersionsCommand({ ...asked, KeyMarker }));
    expect(second.CommonPrefixes).toEqual([{ Prefix: 'cquux/' }]);
  });

  it('of an unversioned bucket has null versions', async () => {
    const Bucket = await bucketWith(['a']);
    const list = await client.send(new ListObjectVersionsCommand({ Bucket }));
    expect(list.Versions).toMatchObject([{ Key: 'a', VersionId: 'null', IsLatest: true }]);
  });
});

describe('a list', () => {
  it.each([
    'max-keys=blah',
    'max-keys=-1',
    'max-keys=2147483648',
    'encoding-type=base64',
    'list-type=2&continuation-token=blah',
    'versions&version-id-marker=null',
    'versions&key-marker=a&version-id-marker=%00',
  ])('is refused with %s', async (query) => {
    const answer = await get(await bucketWith([]), query);
    expect(answer).toMatchObject({ status: 400, code: 'InvalidArgument' });
  });

  it('is refused with unknown attributes', async () => {
    const path = `/${await bucketWith([])}`;
    const headers = { 'x-amz-optional-object-attributes': 'RestoreStatus,Colour' };
    const answer = await signedFetch(s3, { method: 'GET', path, headers });
    expect(answer).toMatchObject({ status: 400, code: 'InvalidArgument' });
  });

  it.each(['list-type=2', 'versions', ''])(
    'of a missing bucket is not found (%s)',
    async (query) => {
      expect(await get('no-such-bucket', query)).toMatchObject({
        status: 404,
        code: 'NoSuchBucket',
      });
    },
  );
});
