import {
  GetObjectLegalHoldCommand,
  GetObjectRetentionCommand,
  HeadObjectCommand,
  PutBucketPolicyCommand,
  PutObjectLegalHoldCommand,
  PutObjectRetentionCommand,
  type ObjectLockRetention,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { refusalOf, TestBucket } from '../../objects/objects.fixture.js';
import { TestS3 } from '../../s3.fixture.js';

const SOON = new Date('2130-01-01T00:00:00.000Z');
const LATER = new Date('2130-01-03T00:00:00.000Z');
const DENIED = '403 AccessDenied';
const key = 'k';

let s3: TestS3;
let bucket: TestBucket;
let versionId: string | undefined;

beforeAll(async () => {
  s3 = await TestS3.start({ namespace: 'global' });
});
afterAll(() => s3.stop());

beforeEach(async () => {
  bucket = await TestBucket.create(s3, { ObjectLockEnabledForBucket: true });
  versionId = (await bucket.put(key, 'x')).VersionId;
});

function named(): { Bucket: string; Key: string } {
  return { Bucket: bucket.name, Key: key };
}

function retain(Retention: ObjectLockRetention, isBypass = false): Promise<unknown> {
  const BypassGovernanceRetention = isBypass || undefined;
  const input = { ...named(), Retention, BypassGovernanceRetention };
  return bucket.client.send(new PutObjectRetentionCommand(input));
}

async function retention(VersionId?: string): Promise<ObjectLockRetention | undefined> {
  const input = { ...named(), VersionId };
  return (await bucket.client.send(new GetObjectRetentionCommand(input))).Retention;
}

function hold(Status: 'ON' | 'OFF'): Promise<unknown> {
  const input = { ...named(), LegalHold: { Status } };
  return bucket.client.send(new PutObjectLegalHoldCommand(input));
}

describe('a retention', () => {
  it('applies to the named version, or to the latest', async () => {
    expect(await refusalOf(retention())).toBe('404 NoSuchObjectLockConfiguration');
    await bucket.put(key, 'y');
    await retain({ Mode: 'GOVERNANCE', RetainUntilDate: SOON });
    expect(await retention()).toEqual({ Mode: 'GOVERNANCE', RetainUntilDate: SOON });
    expect(await refusalOf(retention(versionId))).toBe('404 NoSuchObjectLockConfiguration');
  });

  it('in governance mode can only be extended, except by those who bypass it', async () => {
    await retain({ Mode: 'GOVERNANCE', RetainUntilDate: SOON });
    await retain({ Mode: 'GOVERNANCE', RetainUntilDate: LATER });
    const less = { Mode: 'GOVERNANCE', RetainUntilDate: SOON } as const;
    expect(await refusalOf(retain(less))).toBe(DENIED);
    expect(await refusalOf(retain({}))).toBe(DENIED);
    expect(await retention()).toMatchObject({ RetainUntilDate: LATER });
    await retain(less, true);
    expect(await retention()).toEqual(less);
    await retain({}, true);
    expect(await refusalOf(retention())).toBe('404 NoSuchObjectLockConfiguration');
  });

  it('in compliance mode can only be extended', async () => {
    await retain({ Mode: 'COMPLIANCE', RetainUntilDate: SOON });
    await retain({ Mode: 'COMPLIANCE', RetainUntilDate: LATER });
    for (const less of [
      {},
      { Mode: 'COMPLIANCE', RetainUntilDate: SOON },
      { Mode: 'GOVERNANCE', RetainUntilDate: LATER },
    ] as const)
      expect(await refusalOf(retain(less, true))).toBe(DENIED);
    expect(await retention()).toEqual({ Mode: 'COMPLIANCE', RetainUntilDate: LATER });
    const forced = { VersionId: versionId, BypassGovernanceRetention: true };
    expect(await refusalOf(bucket.delete(key, forced))).toBe(DENIED);
    expect(await bucket.text(key)).toBe('x');
  });

  it('that is shortened and extended concurrently is not shortened', async () => {
    await retain({ Mode: 'GOVERNANCE', RetainUntilDate: SOON });
    const later = Array.from({ length: 10 }, (_, day) => new Date(SOON.getTime() + day * 8.64e7));
    await Promise.allSettled(
      later.reverse().map((until) => retain({ Mode: 'GOVERNANCE', RetainUntilDate: until })),
    );
    expect(await retention()).toMatchObject({ RetainUntilDate: later[0] });
  });

  it('protects its version from deletion, but not its key', async () => {
    await retain({ Mode: 'GOVERNANCE', RetainUntilDate: SOON });
    expect(await refusalOf(bucket.delete(key, { VersionId: versionId }))).toBe(DENIED);
    expect((await bucket.delete(key)).DeleteMarker).toBe(true);
    expect(await bucket.text(key, { VersionId: versionId })).toBe('x');
    await bucket.delete(key, { VersionId: versionId, BypassGovernanceRetention: true });
  });

  it('cannot be bypassed by those whom a policy denies it', async () => {
    await retain({ Mode: 'GOVERNANCE', RetainUntilDate: SOON });
    const Statement = {
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:BypassGovernanceRetention',
      Resource: `arn:aws:s3:::${bucket.name}/*`,
    };
    const Policy = JSON.stringify({ Statement });
    await bucket.client.send(new PutBucketPolicyCommand({ Bucket: bucket.name, Policy }));
    const forced = { VersionId: versionId, BypassGovernanceRetention: true };
    expect(await refusalOf(bucket.delete(key, forced))).toBe(DENIED);
    expect(await refusalOf(retain({}, true))).toBe(DENIED);
  });

  it.each([
    [{ Mode: 'abc' as never, RetainUntilDate: SOON }, '400 MalformedXML'],
    [{ Mode: 'GOVERNANCE' as const }, '400 MalformedXML'],
    [
      { Mode: 'GOVERNANCE' as const, RetainUntilDate: new Date('2020-01-01') },
      '400 InvalidArgument',
    ],
  ])('is refused: %j', async (bad, expected) => {
    expect(await refusalOf(retain(bad))).toBe(expected);
    expect(await refusalOf(retention())).toBe('404 NoSuchObjectLockConfiguration');
  });
});

describe('a legal hold', () => {
  async function status(): Promise<string | undefined> {
    return (await bucket.client.send(new GetObjectLegalHoldCommand(named()))).LegalHold?.Status;
  }

  it('protects a version until it is removed', async () => {
    expect(await status()).toBe('OFF');
    await hold('ON');
    expect(await status()).toBe('ON');
    const forced = { VersionId: versionId, BypassGovernanceRetention: true };
    expect(await refusalOf(bucket.delete(key, forced))).toBe(DENIED);
    await hold('OFF');
    expect(await status()).toBe('OFF');
    await bucket.delete(key, { VersionId: versionId });
  });

  it('is shown once a client has set it', async () => {
    const told = async () =>
      (await bucket.client.send(new HeadObjectCommand(named()))).ObjectLockLegalHoldStatus;
    expect(await told()).toBeUndefined();
    await hold('ON');
    expect(await told()).toBe('ON');
    await hold('OFF');
    expect(await told()).toBe('OFF');
  });

  it('is either ON or OFF', async () => {
    expect(await refusalOf(hold('abc' as never))).toBe('400 MalformedXML');
    expect(await status()).toBe('OFF');
  });
});

describe('without object lock', () => {
  it('retention and legal hold are refused', async () => {
    bucket = await TestBucket.create(s3);
    await bucket.put(key, 'x');
    const refusals = await Promise.all(
      [
        retention(),
        retain({ Mode: 'GOVERNANCE', RetainUntilDate: SOON }),
        hold('ON'),
        bucket.client.send(new GetObjectLegalHoldCommand(named())),
      ].map(refusalOf),
    );
    expect(new Set(refusals)).toEqual(new Set(['400 InvalidRequest']));
  });
});
