import {
  CreateBucketCommand,
  DeleteBucketPolicyCommand,
  GetBucketAclCommand,
  GetBucketPolicyCommand,
  GetBucketPolicyStatusCommand,
  PutBucketAclCommand,
  PutBucketPolicyCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { TestS3 } from '../../s3.fixture.js';

let s3: TestS3;
let owner: S3Client;
let stranger: S3Client;
let Bucket: string;

beforeAll(async () => {
  s3 = await TestS3.start({ namespace: 'global' });
  owner = s3.client();
  stranger = s3.client(s3.stranger);
});
afterAll(() => s3.stop());

beforeEach(async () => {
  Bucket = `b-${newId()}`;
  await owner.send(new CreateBucketCommand({ Bucket }));
});

function policyOf(change: object = {}): string {
  const Statement = {
    Effect: 'Allow',
    Principal: '*',
    Action: 's3:GetBucketAcl',
    Resource: `arn:aws:s3:::${Bucket}`,
    ...change,
  };
  return JSON.stringify({ Version: '2012-10-17', Statement }, undefined, 1);
}

async function put(Policy: string, client = owner): Promise<void> {
  await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
}

async function shown(): Promise<string | undefined> {
  return (await owner.send(new GetBucketPolicyCommand({ Bucket }))).Policy;
}

const refused = { name: 'AccessDenied' };
const acl = (): GetBucketAclCommand => new GetBucketAclCommand({ Bucket });

describe('the policy of a bucket', () => {
  it('is shown as it was sent, until it is deleted', async () => {
    await expect(shown()).rejects.toMatchObject({ name: 'NoSuchBucketPolicy' });
    await put(policyOf());
    expect(await shown()).toBe(policyOf());
    await owner.send(new DeleteBucketPolicyCommand({ Bucket }));
    await owner.send(new DeleteBucketPolicyCommand({ Bucket }));
    await expect(shown()).rejects.toMatchObject({ name: 'NoSuchBucketPolicy' });
  });

  it('allows others what it grants, from when it is set until it is deleted', async () => {
    await expect(stranger.send(acl())).rejects.toMatchObject(refused);
    await put(policyOf({ Principal: { AWS: `arn:aws:iam::${s3.stranger.projectId}:root` } }));
    await stranger.send(acl());
    const another = s3.client(s3.keys.issue(newId(), ['member']));
    await expect(another.send(acl())).rejects.toMatchObject(refused);
    await owner.send(new DeleteBucketPolicyCommand({ Bucket }));
    await expect(stranger.send(acl())).rejects.toMatchObject(refused);
  });

  it('allows unsigned requests', async () => {
    const ask = (): Promise<Response> => fetch(`${s3.url}/${Bucket}?acl`);
    expect((await ask()).status).toBe(403);
    await put(policyOf());
    expect((await ask()).status).toBe(200);
  });

  it('denies its owner access, but not changes of the policy', async () => {
    const all = { Effect: 'Deny', Action: 's3:*', Principal: '*' };
    await put(policyOf(all));
    await expect(owner.send(acl())).rejects.toMatchObject(refused);
    expect(await shown()).toBe(policyOf(all));
    await owner.send(new DeleteBucketPolicyCommand({ Bucket }));
    await owner.send(acl());
  });

  it('denies what an ACL grants', async () => {
    await owner.send(
      new PutBucketAclCommand({ Bucket, GrantReadACP: `id=${s3.stranger.projectId}` }),
    );
    await stranger.send(acl());
    await put(policyOf({ Effect: 'Deny' }));
    await expect(stranger.send(acl())).rejects.toMatchObject(refused);
  });

  it('does not let users with the reader role write', async () => {
    const reader = s3.client(s3.keys.issue(newId(), ['reader']));
    await put(policyOf({ Action: ['s3:GetBucketAcl', 's3:PutBucketAcl'] }));
    await reader.send(acl());
    const change = new PutBucketAclCommand({ Bucket, ACL: 'private' });
    await expect(reader.send(change)).rejects.toMatchObject(refused);
    await stranger.send(change);
  });

  it('can be changed by its owner alone, unless it says otherwise', async () => {
    await expect(put(policyOf(), stranger)).rejects.toMatchObject(refused);
    await put(policyOf({ Action: 's3:PutBucketPolicy' }));
    await put(policyOf(), stranger);
    expect(await shown()).toBe(policyOf());
  });

  it.each([
    ['invalid JSON', () => '{"Version"'],
    ['another bucket', () => policyOf({ Resource: 'arn:aws:s3:::another' })],
    ['an unknown action', () => policyOf({ Action: 's3:Nothing' })],
    ['everybody except one', () => policyOf({ Principal: undefined, NotPrincipal: { AWS: 'p' } })],
    ['more than 20 KiB', () => policyOf({ Sid: 'x'.repeat(20 * 1024) })],
  ])('is refused for %s, and the previous one is kept', async (_, text) => {
    await put(policyOf());
    await expect(put(text())).rejects.toMatchObject({ name: 'MalformedPolicy' });
    expect(await shown()).toBe(policyOf());
  });
});

describe('the status of a policy', () => {
  async function isPublic(): Promise<boolean | undefined> {
    const answer = await owner.send(new GetBucketPolicyStatusCommand({ Bucket }));
    return answer.PolicyStatus?.IsPublic;
  }

  it('tells whether a policy or an ACL makes the bucket public', async () => {
    expect(await isPublic()).toBe(false);
    await put(policyOf({ Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/32' } } }));
    expect(await isPublic()).toBe(false);
    await put(policyOf());
    expect(await isPublic()).toBe(true);
    await owner.send(new DeleteBucketPolicyCommand({ Bucket }));
    for (const ACL of ['public-read', 'authenticated-read'] as const) {
      await owner.send(new PutBucketAclCommand({ Bucket, ACL }));
      expect(await isPublic()).toBe(true);
    }
  });
});
