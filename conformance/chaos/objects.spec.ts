/**
 * Objects that are written, overwritten, put together from parts and deleted while the cloud is
 * killed: what was acknowledged reads back, nothing is half there, and what is deleted leaves no
 * file. `npm run chaos`; CHAOS_OBJECT_WRITES says how many writes there are (5,000).
 */
import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as s3 from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogSession } from '../support/catalog-session.js';
import { readCloudEntry } from '../support/cloud-entry.js';
import { eventually } from '../support/eventually.js';
import { PythonEnvironment } from '../support/python-environment.js';
import { RunningCloud } from '../support/running-cloud.js';
import { newS3Account } from '../support/s3-accounts.js';
import { SIMULATED } from './settings.js';

const WRITES = Number(process.env['CHAOS_OBJECT_WRITES'] ?? 5_000);
const CLIENTS = 16;
const KEYS = 20;
const KILLS = 8;
const HOUR = 3_600_000;
const UP_MS = 180_000;
/** Bytes of parts stay for ten minutes, for who reads an object that was overwritten; then sweeps come. */
const SWEPT_MS = 900_000;
const Bucket = 'chaos';
const PART = 5 * 1024 * 1024;
/** Bytes that are kept in the row, and such as are files. */
const SIZES = [0, 100, 16_384, 16_385, 200_000] as const;
const ABSENT = 'absent';

/** What a key may hold: one after an acknowledged write, else what was there or what was asked for. */
const expected = new Map<string, ReadonlySet<string>>();

describe('objects of a cloud that is killed again and again', () => {
  let cloud: RunningCloud;
  let client: s3.S3Client;
  let left = WRITES;
  let unanswered = 0;

  beforeAll(async () => {
    cloud = await RunningCloud.start(SIMULATED);
    const python = await PythonEnvironment.install('tempest');
    const entry = await readCloudEntry(python, cloud.cloudsYaml, 'cumulet-admin');
    const account = await newS3Account(await CatalogSession.open(entry), 'chaos');
    client = new s3.S3Client({
      endpoint: cloud.s3Url,
      region: 'us-east-1',
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId: account.access, secretAccessKey: account.secret },
    });
    await client.send(new s3.CreateBucketCommand({ Bucket }));
  }, HOUR);
  afterAll(async () => {
    client.destroy();
    await cloud.remove();
  }, HOUR);

  it(
    'are written meanwhile',
    async () => {
      const working = Array.from({ length: CLIENTS }, async (_, number) => {
        for (; left > 0; left -= 1) await write(`${number}/${Math.floor(Math.random() * KEYS)}`);
      });
      await Promise.all([...working, killMeanwhile()]);
      expect(expected.size).toBeGreaterThan(CLIENTS);
    },
    HOUR,
  );

  it(
    'hold what was acknowledged, whole',
    async () => {
      const wrong: string[] = [];
      for (const [key, allowed] of expected) {
        const found = await contentOf(key);
        if (!allowed.has(found)) wrong.push(`${key}: ${found}, not ${[...allowed].join(' or ')}`);
      }
      expect(wrong).toEqual([]);
      console.log(`${WRITES} writes, killed ${KILLS} times, ${unanswered} without an answer`);
    },
    HOUR,
  );

  it(
    'leave no file once they are deleted',
    async () => {
      for (const key of expected.keys())
        await client.send(new s3.DeleteObjectCommand({ Bucket, Key: key }));
      const { Uploads = [] } = await client.send(new s3.ListMultipartUploadsCommand({ Bucket }));
      for (const { Key, UploadId } of Uploads)
        await client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      await client.send(new s3.DeleteBucketCommand({ Bucket }));
      await eventually('no file is left', SWEPT_MS, async () =>
        (await files()).length === 0 ? true : undefined,
      );
    },
    HOUR,
  );

  async function killMeanwhile(): Promise<void> {
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const next = WRITES * (1 - kill / (KILLS + 1));
      await eventually('further writes', HOUR, () => Promise.resolve(left <= next || undefined));
      await cloud.kill();
      await cloud.start();
    }
  }

  async function write(Key: string): Promise<void> {
    const before = expected.get(Key) ?? new Set([ABSENT]);
    const [wanted, run] = somethingTo(Key);
    // From before the request: it may be carried out without an answer.
    expected.set(Key, new Set([...before, wanted]));
    try {
      await run();
      expected.set(Key, new Set([wanted]));
    } catch (error) {
      unanswered += 1;
      const isAnswer = error instanceof s3.S3ServiceException;
      if (isAnswer && (error.$metadata.httpStatusCode ?? 500) < 500) throw error;
      await eventually(
        'the cloud is up',
        UP_MS,
        async () =>
          (await fetch(`${cloud.s3Url}/-/readyz`).catch(() => undefined))?.ok === true || undefined,
      );
    }
  }

  function somethingTo(Key: string): [string, () => Promise<unknown>] {
    const chance = Math.random();
    const at = { Bucket, Key };
    if (chance < 0.2) return [ABSENT, () => client.send(new s3.DeleteObjectCommand(at))];
    if (chance < 0.22) {
      const bodies = [randomBytes(PART), randomBytes(1_000)];
      return [digest(Buffer.concat(bodies)), () => inParts(at, bodies)];
    }
    const Body = randomBytes(SIZES[Math.floor(Math.random() * SIZES.length)] ?? 0);
    return [digest(Body), () => client.send(new s3.PutObjectCommand({ ...at, Body }))];
  }

  async function inParts(at: { Bucket: string; Key: string }, bodies: Buffer[]): Promise<void> {
    const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand(at));
    const Parts: s3.CompletedPart[] = [];
    for (const [index, Body] of bodies.entries()) {
      const PartNumber = index + 1;
      const upload = { ...at, UploadId, PartNumber, Body };
      const { ETag, ChecksumCRC32 } = await client.send(new s3.UploadPartCommand(upload));
      Parts.push({ PartNumber, ETag, ChecksumCRC32 });
    }
    const whole = { ...at, UploadId, MultipartUpload: { Parts } };
    await client.send(new s3.CompleteMultipartUploadCommand(whole));
  }

  async function contentOf(Key: string): Promise<string> {
    try {
      const { Body } = await client.send(new s3.GetObjectCommand({ Bucket, Key }));
      return digest(Buffer.from((await Body?.transformToByteArray()) ?? []));
    } catch (error) {
      if (error instanceof s3.NoSuchKey) return ABSENT;
      throw error;
    }
  }

  /** Of bytes, below the folder that the service keeps them in. */
  async function files(): Promise<string[]> {
    const folder = join(cloud.folder, 's3');
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile() && /^[0-9a-f-]{36}$/.test(entry.name))
      .map(({ name }) => name);
  }
});

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
