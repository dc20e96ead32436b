import { createHash, randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
  type CompleteMultipartUploadCommandOutput,
  type CreateMultipartUploadCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';
import { countsIn, type Counts } from './stored-counts.fixture.js';

let s3: TestS3;
let client: S3Client;
let Bucket: string;

beforeAll(async () => {
  s3 = await TestS3.start();
  client = s3.client();
});
afterAll(() => s3.stop());

const MIB = 1024 * 1024;
const LARGE = 5 * MIB;
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');

async function newBucket(): Promise<string> {
  Bucket = `bucket-${newId()}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}

async function begin(
  Key: string,
  more: Partial<CreateMultipartUploadCommandInput> = {},
): Promise<string> {
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ...more }),
  );
  return UploadId ?? '';
}

async function send(
  Key: string,
  UploadId: string,
  PartNumber: number,
  Body: Buffer,
): Promise<CompletedPart> {
  const named = { Bucket, Key, UploadId, PartNumber };
  const { ETag } = await client.send(new UploadPartCommand({ ...named, Body }));
  return { PartNumber, ETag };
}

function complete(
  Key: string,
  UploadId: string,
  Parts: CompletedPart[],
  more: { IfNoneMatch?: string; MpuObjectSize?: number; ChecksumCRC32?: string } = {},
): Promise<CompleteMultipartUploadCommandOutput> {
  const named = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
  return client.send(new CompleteMultipartUploadCommand({ ...named, ...more }));
}

async function read(Key: string): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

const counts = (): Promise<Counts> => countsIn(s3, Bucket);

describe('an upload', () => {
  beforeAll(newBucket);

  it('becomes an object of its parts, with the properties that it was begun with', async () => {
    const bodies = [randomBytes(LARGE), randomBytes(LARGE + 1), randomBytes(3)];
    const more = {
      ContentType: 'text/x',
      Metadata: { word: 'thing' },
      ServerSideEncryption: 'AES256',
    };
    const id = await begin('whole', more as never);
    const parts: CompletedPart[] = [];
    for (const [at, body] of bodies.entries()) parts.push(await send('whole', id, at + 1, body));
    expect(await counts()).toMatchObject({ objects: 0, uploads: 1, parts: 3 });
    const { ETag, Location } = await complete('whole', id, parts);
    const tags = Buffer.concat(bodies.map((body) => Buffer.from(md5(body), 'hex')));
    expect(ETag).toBe(`"${md5(tags)}-3"`);
    expect(Location).toBe(`${s3.url}/${Bucket}/whole`);
    expect(await counts()).toMatchObject({ objects: 1, uploads: 0, parts: 3 });
    const got = await client.send(new GetObjectCommand({ Bucket, Key: 'whole' }));
    expect(got).toMatchObject({ ContentType: 'text/x', Metadata: more.Metadata, ETag });
    expect(got.ServerSideEncryption).toBe('AES256');
    const bytes = Buffer.from((await got.Body?.transformToByteArray()) ?? []);
    expect(bytes.equals(Buffer.concat(bodies))).toBe(true);
    const Range = `bytes=${LARGE - 2}-${LARGE + 1}`;
    const part = await client.send(new GetObjectCommand({ Bucket, Key: 'whole', Range }));
    const cut = Buffer.from((await part.Body?.transformToByteArray()) ?? []);
    expect(cut.equals(Buffer.concat(bodies).subarray(LARGE - 2, LARGE + 2))).toBe(true);
  });

  it('keeps the last version of a part that was sent twice', async () => {
    const id = await begin('again');
    await send('again', id, 1, Buffer.from('former'));
    const part = await send('again', id, 1, Buffer.from('latter'));
    await complete('again', id, [part]);
    expect((await read('again')).toString()).toBe('latter');
  });

  it('omits parts that are not listed', async () => {
    const id = await begin('some');
    await send('some', id, 1, Buffer.from('one'));
    const part = await send('some', id, 7, Buffer.from('seven'));
    const before = await counts();
    await complete('some', id, [part]);
    expect((await read('some')).toString()).toBe('seven');
    expect((await counts()).parts).toBe(before.parts - 1);
  });

  it('returns the same answer when it is completed again', async () => {
    const id = await begin('twice');
    const part = await send('twice', id, 1, Buffer.from('bytes'));
    const all = await Promise.all([1, 2, 3, 4].map(() => complete('twice', id, [part])));
    all.push(await complete('twice', id, [part]));
    expect(new Set(all.map(({ ETag }) => ETag)).size).toBe(1);
    const other = { ...part, ETag: md5(Buffer.from('other')) };
    await expect(complete('twice', id, [other])).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });

  it('is over for late requests once its object is replaced', async () => {
    const id = await begin('late');
    const part = await send('late', id, 1, Buffer.from('bytes'));
    await complete('late', id, [part]);
    await client.send(new PutObjectCommand({ Bucket, Key: 'late', Body: 'other' }));
    await expect(complete('late', id, [part])).rejects.toMatchObject({ name: 'NoSuchUpload' });
    await expect(send('late', id, 1, Buffer.from('x'))).rejects.toMatchObject({
      name: 'NoSuchUpload',
    });
  });

  it('can be aborted, and leaves nothing behind', async () => {
    const before = await counts();
    const id = await begin('aborted');
    await send('aborted', id, 1, randomBytes(100_000));
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key: 'aborted', UploadId: id }));
    expect(await counts()).toMatchObject({ ...before, loose: before.loose + 1 });
    const again = new AbortMultipartUploadCommand({ Bucket, Key: 'aborted', UploadId: id });
    await expect(client.send(again)).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });

  it('creates a version in a versioned bucket', async () => {
    const bucket = await TestBucket.versioned(s3);
    Bucket = bucket.name;
    const id = await begin('key');
    const part = await send('key', id, 1, Buffer.from('bytes'));
    const { VersionId } = await complete('key', id, [part]);
    expect(VersionId).toMatch(/^[\w-]{32}$/);
    expect((await complete('key', id, [part])).VersionId).toBe(VersionId);
    await bucket.setVersioning('suspended');
    const next = await begin('key');
    const other = await send('key', next, 1, Buffer.from('bytes'));
    expect((await complete('key', next, [other])).VersionId).toBeUndefined();
  });
});

describe('an upload is unchanged if', () => {
  let id: string;
  let first: CompletedPart;
  let second: CompletedPart;
  let before: Counts;

  beforeAll(async () => {
    await newBucket();
    await client.send(new PutObjectCommand({ Bucket, Key: 'key', Body: 'former' }));
    id = await begin('key', { ChecksumAlgorithm: 'CRC32' });
    first = await send('key', id, 1, Buffer.alloc(LARGE - 1));
    second = await send('key', id, 2, Buffer.from('end'));
    before = await counts();
  });

  it.each([
    ['a part is too small', () => complete('key', id, [first, second]), 'EntityTooSmall'],
    ['the parts are out of order', () => complete('key', id, [second, first]), 'InvalidPartOrder'],
    ['a part is missing', () => complete('key', id, [{ ...second, PartNumber: 3 }]), 'InvalidPart'],
    ['an ETag differs', () => complete('key', id, [{ ...second, PartNumber: 1 }]), 'InvalidPart'],
    ['no part is listed', () => complete('key', id, []), 'MalformedXML'],
    ['the key differs', () => complete('other', id, [second]), 'NoSuchUpload'],
    [
      'the size differs',
      () => complete('key', id, [second], { MpuObjectSize: 4 }),
      'InvalidRequest',
    ],
    [
      'a condition is not met',
      () => complete('key', id, [second], { IfNoneMatch: '*' }),
      'PreconditionFailed',
    ],
    [
      'the checksum differs',
      () => complete('key', id, [second], { ChecksumCRC32: 'AAAAAA==' }),
      'BadDigest',
    ],
    ['a part number is 0', () => send('key', id, 0, Buffer.from('x')), 'InvalidArgument'],
    ['a part number is 10001', () => send('key', id, 10_001, Buffer.from('x')), 'InvalidArgument'],
    ['there is no such upload', () => send('key', newId(), 1, Buffer.from('x')), 'NoSuchUpload'],
    ['the upload id is invalid', () => send('key', 'abc', 1, Buffer.from('x')), 'NoSuchUpload'],
  ])('%s', async (_, act, name) => {
    await expect(act()).rejects.toMatchObject({ name });
    expect(await counts()).toEqual(before);
    expect((await read('key')).toString()).toBe('former');
  });
});

describe('lists', () => {
  beforeAll(newBucket);

  it('of uploads are paged', async () => {
    const ids = [await begin('a/1'), await begin('a/1'), await begin('b'), await begin('c ü')];
    const list = async (more: object) =>
      client.send(new ListMultipartUploadsCommand({ Bucket, ...more }));
    const all = await list({});
    expect(all).toMatchObject({ IsTruncated: false, MaxUploads: 1000 });
    expect(all.Uploads?.map(({ UploadId }) => UploadId).sort()).toEqual([...ids].sort());
    expect(all.Uploads?.[0]).toMatchObject({
      Key: 'a/1',
      Owner: { ID: s3.projectId, DisplayName: s3.projectId },
      Initiator: { ID: s3.projectId },
      StorageClass: 'STANDARD',
    });
    const first = await list({ MaxUploads: 1 });
    expect(first).toMatchObject({ IsTruncated: true, NextKeyMarker: 'a/1' });
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = first;
    const rest = await list({ KeyMarker, UploadIdMarker, MaxUploads: 3 });
    expect(rest.Uploads?.map(({ Key }) => Key)).toEqual(['a/1', 'b', 'c ü']);
    const grouped = await list({ Delimiter: '/', EncodingType: 'url' });
    expect(grouped.CommonPrefixes).toEqual([{ Prefix: 'a/' }]);
    expect(grouped.Uploads?.map(({ Key }) => Key)).toEqual(['b', 'c%20%C3%BC']);
    await expect(list({ MaxUploads: -1 })).rejects.toMatchObject({ name: 'InvalidArgument' });
  });

  it('of parts are paged', async () => {
    const UploadId = await begin('parts', { ChecksumAlgorithm: 'SHA1' });
    const named = { Bucket, Key: 'parts', UploadId };
    for (const number of [1, 2, 10_000])
      await client.send(
        new UploadPartCommand({
          ...named,
          PartNumber: number,
          Body: `${number}`,
          ChecksumAlgorithm: 'SHA1',
        }),
      );
    const list = async (more: object) => client.send(new ListPartsCommand({ ...named, ...more }));
    const page = await list({ MaxParts: 2 });
    expect(page).toMatchObject({
      IsTruncated: true,
      NextPartNumberMarker: '2',
      ChecksumAlgorithm: 'SHA1',
      ChecksumType: 'COMPOSITE',
      Owner: { ID: s3.projectId },
    });
    const sha1 = createHash('sha1').update('1').digest('base64');
    expect(page.Parts?.[0]).toMatchObject({
      PartNumber: 1,
      Size: 1,
      ETag: `"${md5(Buffer.from('1'))}"`,
      ChecksumSHA1: sha1,
    });
    const rest = await list({ PartNumberMarker: page.NextPartNumberMarker });
    expect(rest).toMatchObject({ IsTruncated: false, Parts: [{ PartNumber: 10_000 }] });
    await expect(list({ UploadId: newId() })).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });
});

it('an upload is refused once its bucket has 10,000 others', async () => {
  await newBucket();
  await begin('first');
  // Each of them would count the others.
  await s3.started.app.dataSource.transaction(async (tx) => {
    await tx.query('ALTER TABLE uploads DISABLE TRIGGER uploads_bucket_limit');
    await tx.query(
      `INSERT INTO uploads (id, bucket_id, key, owner_id)
       SELECT gen_random_uuid(), one.bucket_id, one.key, one.owner_id
         FROM uploads AS one JOIN buckets ON buckets.id = one.bucket_id,
              generate_series(1, 9999) WHERE buckets.name = $1`,
      [Bucket],
    );
    await tx.query('ALTER TABLE uploads ENABLE TRIGGER uploads_bucket_limit');
  });
  await expect(begin('one more')).rejects.toMatchObject({
    name: 'QuotaExceeded',
    message: 'The bucket has 10000 uploads under way already: complete or abort some.',
  });
  const { Uploads = [] } = await client.send(
    new ListMultipartUploadsCommand({ Bucket, Prefix: 'one more' }),
  );
  expect(Uploads).toEqual([]);
});
