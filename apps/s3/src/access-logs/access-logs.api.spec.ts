import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetBucketLoggingCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutBucketEncryptionCommand,
  PutBucketLoggingCommand,
  PutBucketOwnershipControlsCommand,
  PutObjectCommand,
  PutObjectLockConfigurationCommand,
  type LoggingEnabled,
  type S3Client,
} from '@aws-sdk/client-s3';
import { eventually } from '@cumulet/testing/settle';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { presigned } from '../auth/signing.fixture.js';
import { TestS3 } from '../s3.fixture.js';
import { DOMAIN, TestWebsite } from '../website/website.fixture.js';
import { AccessLogBatch } from './access-log-batch.entity.js';
import { AccessLogRecorder } from './access-log-recorder.js';
import { AccessLogsSweep } from './access-logs.sweep.js';

let s3: TestS3;
let client: S3Client;

beforeAll(async () => {
  // Logs are delivered when a test says so.
  s3 = await TestS3.start({ accessLogSeconds: 86_400, websiteDomains: DOMAIN });
  client = s3.client();
});
afterAll(() => s3.stop());

async function bucketNamed(kind: string, more = {}): Promise<string> {
  const Bucket = `${kind}-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket, ...more }));
  return Bucket;
}

async function log(Bucket: string, to?: Partial<LoggingEnabled>): Promise<void> {
  const LoggingEnabled = to && { TargetBucket: undefined, TargetPrefix: 'log/', ...to };
  await client.send(
    new PutBucketLoggingCommand({ Bucket, BucketLoggingStatus: { LoggingEnabled } }),
  );
}

const stored = (): Promise<AccessLogBatch[]> => s3.started.ctx.manager.find(AccessLogBatch);

/** Returns once so many lines of a bucket are stored: a line is made after its answer. */
async function linesStored(bucket: string, count: number): Promise<void> {
  await eventually('the lines are stored', async () => {
    await s3.started.app.nest.get(AccessLogRecorder).run();
    const lines = (await stored()).filter(({ source }) => source.name === bucket);
    return lines.flatMap((one) => one.lines.trimEnd().split('\n')).length >= count;
  });
}

const deliver = (): Promise<void> => s3.started.app.nest.get(AccessLogsSweep).run(s3.started.ctx);

async function keysIn(Bucket: string): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
  return Contents.map(({ Key = '' }) => Key);
}

async function textOf(Bucket: string, Key: string): Promise<string> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
  return (await Body?.transformToString()) ?? '';
}

/** Requests end in any order. */
function byOperation(one: string, other: string): number {
  const [a, b] = [one, other].map((line) => line.slice(line.indexOf(' REST.')));
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

describe('a request to a logged bucket', () => {
  it('is delivered once, in a log object', async () => {
    const [Bucket, target] = [await bucketNamed('source'), await bucketNamed('logs')];
    await log(Bucket, { TargetBucket: target });
    const Key = 'a key';
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'body' }));
    await client
      .send(new GetObjectCommand({ Bucket, Key }))
      .then(({ Body }) => Body?.transformToString());
    await client.send(new HeadObjectCommand({ Bucket, Key: 'none' })).catch(() => undefined);
    expect((await fetch(`${s3.url}/${s3.projectId}:${Bucket}/a`)).status).toBe(403);
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
    await linesStored(Bucket, 5);
    await deliver();
    await deliver();
    const keys = await keysIn(target);
    expect(keys).toEqual([expect.stringMatching(/^log\/\d{4}(-\d\d){5}-[0-9A-F]{16}$/)]);
    const lines = (await textOf(target, keys[0] ?? '')).trimEnd().split('\n');
    const requester = `arn:aws:iam::${s3.projectId}:user/${s3.member.userId}`;
    const begin = (who: string): string =>
      `${s3.projectId} ${Bucket} \\[.+\\] 127\\.0\\.0\\.1 ${who} req-\\S+`;
    expect(lines.sort(byOperation)).toEqual(
      [
        `${begin(requester)} REST.DELETE.OBJECT a%20key "DELETE \\S+ HTTP/1.1" 204 - - - \\d+ \\d+ "-" ".+" - req-\\S+ SigV4 - AuthHeader \\S+ - - -`,
        `${begin('-')} REST.GET.OBJECT a "GET /\\S+ HTTP/1.1" 403 AccessDenied \\d+ - \\d+ \\d+ "-" "\\S+" - req-\\S+ - - - 127\\S+ - - -`,
        `${begin(requester)} REST.GET.OBJECT a%20key "GET \\S+ HTTP/1.1" 200 - 4 4 \\d+ \\d+ .*`,
        `${begin(requester)} REST.HEAD.OBJECT none "HEAD \\S+ HTTP/1.1" 404 NoSuchKey - - .*`,
        `${begin(requester)} REST.PUT.OBJECT a%20key "PUT \\S+ HTTP/1.1" 200 - - 4 .*`,
      ].map((line) => expect.stringMatching(new RegExp(`^${line}$`))),
    );
  });

  it('is logged without the signatures of presigned URLs', async () => {
    const [Bucket, target] = [await bucketNamed('signed'), await bucketNamed('logs')];
    await log(Bucket, { TargetBucket: target });
    await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'body' }));
    const url = s3.url + (await presigned(s3, { method: 'GET', path: `/${Bucket}/a` }));
    expect(await (await fetch(url, { headers: { referer: url } })).text()).toBe('body');
    await linesStored(Bucket, 2);
    await deliver();
    const [key = ''] = await keysIn(target);
    const text = await textOf(target, key);
    expect(text).not.toContain(new URL(url).searchParams.get('X-Amz-Signature'));
    expect(text).toMatch(/X-Amz-Signature=REMOVED.* SigV4 - QueryString /);
  });

  it("is distinguished from a visit to the bucket's website", async () => {
    const site = await TestWebsite.create(s3, { IndexDocument: { Suffix: 'index.html' } });
    const [{ name }, target] = [site.bucket, await bucketNamed('logs')];
    await log(name, { TargetBucket: target });
    await site.visit('/none?a');
    await linesStored(name, 1);
    await deliver();
    const [key = ''] = await keysIn(target);
    expect(await textOf(target, key)).toMatch(
      / - req-\S+ WEBSITE\.GET\.OBJECT none "GET \/none\?a HTTP\/1\.1" 40\d \w+ \d+ /,
    );
  });

  it('is delivered even after the bucket is deleted', async () => {
    const [Bucket, target] = [await bucketNamed('short'), await bucketNamed('logs')];
    await log(Bucket, { TargetBucket: target });
    await client.send(new DeleteBucketCommand({ Bucket }));
    await linesStored(Bucket, 1);
    await deliver();
    const [key = ''] = await keysIn(target);
    expect(await textOf(target, key)).toContain(' REST.DELETE.BUCKET - ');
  });

  it('is readable by those to whom its owner grants that, below dated prefixes', async () => {
    const [Bucket, target] = [await bucketNamed('granted'), await bucketNamed('logs')];
    const Grantee = { Type: 'CanonicalUser' as const, ID: s3.stranger.projectId };
    await log(Bucket, {
      TargetBucket: target,
      TargetPrefix: '',
      TargetGrants: [{ Grantee, Permission: 'READ' }],
      TargetObjectKeyFormat: { PartitionedPrefix: { PartitionDateSource: 'EventTime' } },
    });
    await client.send(new ListObjectsV2Command({ Bucket }));
    await linesStored(Bucket, 1);
    await deliver();
    const [Key = ''] = await keysIn(target);
    expect(Key).toMatch(
      new RegExp(`^${s3.projectId}/us-east-1/${Bucket}/\\d{4}/\\d\\d/\\d\\d/[\\d-]{10}-00-00-00-`),
    );
    const { Owner, Grants } = await client.send(new GetObjectAclCommand({ Bucket: target, Key }));
    expect(Owner?.ID).toBe(s3.projectId);
    expect(Grants?.map((one) => [one.Grantee?.ID, one.Permission])).toEqual([
      [s3.projectId, 'FULL_CONTROL'],
      [s3.stranger.projectId, 'READ'],
    ]);
  });

  it('is dropped with a warning once the target bucket is gone', async () => {
    const [Bucket, target] = [await bucketNamed('lost'), await bucketNamed('logs')];
    await log(Bucket, { TargetBucket: target });
    await client.send(new DeleteBucketCommand({ Bucket: target }));
    await client.send(new ListObjectsV2Command({ Bucket }));
    await linesStored(Bucket, 1);
    await deliver();
    expect((await stored()).filter(({ source }) => source.name === Bucket)).toEqual([]);
    expect(s3.started.logs).toContainEqual(
      expect.objectContaining({
        msg: 'access logs are dropped: their target bucket is gone',
        target,
      }),
    );
  });

  it('waits for a target that cannot accept it', async () => {
    const Bucket = await bucketNamed('waiting');
    const target = await bucketNamed('logs', { ObjectLockEnabledForBucket: true });
    await log(Bucket, { TargetBucket: target });
    const lock = (Rule?: object): Promise<unknown> =>
      client.send(
        new PutObjectLockConfigurationCommand({
          Bucket: target,
          ObjectLockConfiguration: { ObjectLockEnabled: 'Enabled', ...(Rule && { Rule }) },
        }),
      );
    await lock({ DefaultRetention: { Mode: 'GOVERNANCE', Days: 1 } });
    await client.send(new ListObjectsV2Command({ Bucket }));
    await linesStored(Bucket, 1);
    await deliver();
    expect(await keysIn(target)).toEqual([]);
    await lock();
    await deliver();
    expect(await keysIn(target)).toHaveLength(1);
  });

  it('is no longer logged once logging is switched off', async () => {
    const [Bucket, target] = [await bucketNamed('off'), await bucketNamed('logs')];
    await log(Bucket, { TargetBucket: target });
    const shown = new GetBucketLoggingCommand({ Bucket });
    expect((await client.send(shown)).LoggingEnabled).toEqual({
      TargetBucket: target,
      TargetPrefix: 'log/',
    });
    await log(Bucket);
    expect((await client.send(shown)).LoggingEnabled).toBeUndefined();
    await linesStored(Bucket, 2);
    await deliver();
    const [key = ''] = await keysIn(target);
    expect((await textOf(target, key)).trimEnd().split('\n')).toHaveLength(2);
  });
});

describe('a target bucket is refused', () => {
  const failing = (name: string, httpStatusCode: number): object => ({
    name,
    $metadata: expect.objectContaining({ httpStatusCode }),
  });

  async function expectRefused(to: Partial<LoggingEnabled>, failure: object): Promise<void> {
    const Bucket = await bucketNamed('source');
    await expect(log(Bucket, to)).rejects.toMatchObject(failure);
    const { LoggingEnabled } = await client.send(new GetBucketLoggingCommand({ Bucket }));
    expect(LoggingEnabled).toBeUndefined();
  }

  it('if it does not exist or belongs to another project', async () => {
    const failure = failing('InvalidTargetBucketForLogging', 400);
    await expectRefused({ TargetBucket: 'nowhere' }, failure);
    await s3.client(s3.stranger).send(new CreateBucketCommand({ Bucket: 'strange' }));
    await expectRefused({ TargetBucket: 'strange' }, failure);
  });

  it('if it is in another region', async () => {
    const CreateBucketConfiguration = { LocationConstraint: 'eu-west-1' as const };
    const TargetBucket = await bucketNamed('far', { CreateBucketConfiguration });
    await expectRefused({ TargetBucket }, failing('CrossLocationLoggingProhibited', 403));
  });

  it('if it locks objects by default, or its default encryption is unusable', async () => {
    const failure = failing('InvalidTargetBucketForLogging', 400);
    const locking = await bucketNamed('lock', { ObjectLockEnabledForBucket: true });
    const DefaultRetention = { Mode: 'GOVERNANCE' as const, Days: 1 };
    const ObjectLockConfiguration = {
      ObjectLockEnabled: 'Enabled' as const,
      Rule: { DefaultRetention },
    };
    await client.send(
      new PutObjectLockConfigurationCommand({ Bucket: locking, ObjectLockConfiguration }),
    );
    await expectRefused({ TargetBucket: locking }, failure);
    const twice = await bucketNamed('twice');
    const SSEAlgorithm = 'aws:kms:dsse' as const;
    const Rules = [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm, KMSMasterKeyID: 'k' } }];
    await client.send(
      new PutBucketEncryptionCommand({
        Bucket: twice,
        ServerSideEncryptionConfiguration: { Rules },
      }),
    );
    await expectRefused({ TargetBucket: twice }, failure);
  });

  it('if the prefix leaves no room for a key', async () => {
    const TargetBucket = await bucketNamed('logs');
    const to = { TargetBucket, TargetPrefix: 'p'.repeat(1_000) };
    await expectRefused(to, failing('KeyTooLongError', 400));
  });

  it('if grants are given although it has no ACLs, or to unknown grantees', async () => {
    const TargetBucket = await bucketNamed('logs');
    const granting = (ID: string): Partial<LoggingEnabled> => ({
      TargetBucket,
      TargetGrants: [{ Grantee: { Type: 'CanonicalUser', ID }, Permission: 'READ' }],
    });
    await expectRefused(granting('nobody'), failing('InvalidArgument', 400));
    const Rules = [{ ObjectOwnership: 'BucketOwnerEnforced' as const }];
    await client.send(
      new PutBucketOwnershipControlsCommand({ Bucket: TargetBucket, OwnershipControls: { Rules } }),
    );
    const failure = failing('AccessControlListNotSupported', 400);
    await expectRefused(granting(s3.stranger.projectId), failure);
  });
});
