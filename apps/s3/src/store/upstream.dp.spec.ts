/** Replicas of the service with their bytes in a bucket of another S3 service; all are processes. */
import { randomBytes } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { AcknowledgedWrites, BUCKET, foundAt } from '../content/acknowledged-writes.fixture.js';
import { clientOf, type S3Process } from '../s3-process.fixture.js';
import { MARK, Upstream } from './upstream.fixture.js';

const CLIENTS = 8;
const WRITES = 40;
const TEST_MS = 600_000;
const MIB = 1024 ** 2;

let upstream: Upstream;
let killed: S3Process;
let one: S3Client;
let other: S3Client;

beforeAll(async () => {
  upstream = await Upstream.start();
  // The first binds the bucket and the database; the others find them bound.
  killed = await upstream.startReplica();
  one = clientOf(killed);
  other = clientOf(await upstream.startReplica());
  await one.send(new CreateBucketCommand({ Bucket: BUCKET }));
});
afterAll(() => upstream.stop());

async function put(client: S3Client, Key: string, Body: Buffer): Promise<void> {
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));
}

async function remove(client: S3Client, keys: Iterable<string>): Promise<void> {
  for (const Key of keys) await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key }));
}

async function read(client: S3Client, Key: string, Range?: string): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key, Range }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

/** Overwritten and deleted data is removed when its lease ends, which is now. */
async function nothingIsLoose(): Promise<void> {
  await upstream.dataSource.query('UPDATE loose_data SET until = now()');
  const isNothingLoose = async (): Promise<boolean> => {
    const [row] = await upstream.dataSource.query<{ left: boolean }[]>(
      'SELECT EXISTS (SELECT FROM loose_data) AS left',
    );
    return row?.left === false;
  };
  await eventually('no loose bytes are left', isNothingLoose, TEST_MS / 2);
}

it(
  'an object written through one replica can be read, overwritten and deleted through the other',
  async () => {
    const bytes = randomBytes(20 * MIB + 7);
    await put(one, 'large', bytes);
    expect(bytes.equals(await read(other, 'large'))).toBe(true);
    const [first, last] = [8 * MIB - 1, 16 * MIB + 1];
    const range = await read(other, 'large', `bytes=${first}-${last}`);
    expect(range.equals(bytes.subarray(first, last + 1))).toBe(true);

    const changed = randomBytes(100_000);
    await put(other, 'large', changed);
    expect(changed.equals(await read(one, 'large'))).toBe(true);
    await remove(other, ['large']);
    await expect(read(one, 'large')).rejects.toMatchObject({ name: 'NoSuchKey' });

    expect((await upstream.names()).length).toBeGreaterThan(1);
    await nothingIsLoose();
    expect(await upstream.names()).toEqual([MARK]);
  },
  TEST_MS,
);

it(
  'parts that are sent to different replicas become one object',
  async () => {
    const at = { Bucket: BUCKET, Key: 'parts' };
    const parts = [randomBytes(5 * MIB), randomBytes(5 * MIB + 1), randomBytes(1_000)];
    const { UploadId } = await one.send(new CreateMultipartUploadCommand(at));
    const sent = parts.map(async (Body, index) => {
      const part = { ...at, UploadId, PartNumber: index + 1, Body };
      const { ETag } = await (index % 2 === 0 ? one : other).send(new UploadPartCommand(part));
      return { PartNumber: index + 1, ETag };
    });
    const MultipartUpload = { Parts: await Promise.all(sent) };
    await other.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload }));
    const all = Buffer.concat(parts);
    expect(all.equals(await read(one, 'parts'))).toBe(true);
    const range = await read(other, 'parts', `bytes=${5 * MIB - 1}-${10 * MIB + 2}`);
    expect(range.equals(all.subarray(5 * MIB - 1, 10 * MIB + 3))).toBe(true);

    await remove(one, ['parts']);
    await nothingIsLoose();
    expect(await upstream.names()).toEqual([MARK]);
  },
  TEST_MS,
);

it(
  'while the bucket is unavailable only requests that need it are refused, and service recovers',
  async () => {
    const bytes = randomBytes(100_000);
    await put(one, 'stored', bytes);
    await upstream.kill();
    const unavailable = {
      name: 'ServiceUnavailable',
      $metadata: expect.objectContaining({ httpStatusCode: 503 }) as object,
    };
    await expect(read(other, 'stored')).rejects.toMatchObject(unavailable);
    await expect(put(one, 'new', bytes)).rejects.toMatchObject(unavailable);
    await put(one, 'in-row', Buffer.from('small'));
    expect((await read(other, 'in-row')).toString()).toBe('small');

    await upstream.startAgain();
    expect(bytes.equals(await read(other, 'stored'))).toBe(true);
    await expect(read(other, 'new')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await put(one, 'new', bytes);
    expect(bytes.equals(await read(other, 'new'))).toBe(true);
    await remove(one, ['stored', 'in-row', 'new']);
  },
  TEST_MS,
);

// The last: there is one replica less afterwards.
it(
  'a replica that is killed during writes loses nothing that it has acknowledged',
  async () => {
    const expected = new AcknowledgedWrites();
    const writers = (client: S3Client, from: number) =>
      Array.from({ length: CLIENTS }, (_, who) => expected.write(client, from + who, WRITES));
    const [ending, staying] = [writers(one, 0), writers(other, CLIENTS)];
    // A quarter: none of the clients has finished.
    const isMuchWritten = (): boolean => expected.acknowledged > (CLIENTS * WRITES) / 2;
    await eventually('much is written', isMuchWritten, TEST_MS / 2);
    await killed.kill();
    // All of these were in the middle of a write, and none of those noticed.
    expect(await Promise.all(ending)).not.toContain(undefined);
    expect((await Promise.all(staying)).filter((failure) => failure !== undefined)).toEqual([]);

    for (const key of expected.keys())
      expect(expected.possible(key)).toContain(await foundAt(other, key));
    await remove(other, expected.keys());
    await nothingIsLoose();
    expect(await upstream.names()).toEqual([MARK]);
  },
  TEST_MS,
);
