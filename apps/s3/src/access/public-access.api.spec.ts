import {
  DeletePublicAccessBlockCommand,
  GetBucketPolicyStatusCommand,
  GetObjectAclCommand,
  ListObjectsV2Command,
  PutBucketAclCommand,
  PutBucketOwnershipControlsCommand,
  PutBucketPolicyCommand,
  PutObjectAclCommand,
  PutPublicAccessBlockCommand,
  type ObjectOwnership,
  type PublicAccessBlockConfiguration,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { refusalOf, TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';

let s3: TestS3;
let bucket: TestBucket;
let Bucket: string;

beforeAll(async () => {
  s3 = await TestS3.start({ namespace: 'global' });
});
afterAll(() => s3.stop());

beforeEach(async () => {
  bucket = await TestBucket.create(s3);
  Bucket = bucket.name;
});

async function unsigned(path = ''): Promise<number> {
  return (await fetch(`${s3.url}/${Bucket}${path}`)).status;
}

async function block(
  PublicAccessBlockConfiguration: PublicAccessBlockConfiguration,
): Promise<void> {
  await bucket.client.send(
    new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration }),
  );
}

function allow(Principal: unknown = '*'): PutBucketPolicyCommand {
  const Resource = [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/*`];
  const Statement = { Effect: 'Allow', Principal, Action: '*', Resource };
  return new PutBucketPolicyCommand({ Bucket, Policy: JSON.stringify({ Statement }) });
}

describe('a public access block', () => {
  it('refuses new public ACLs', async () => {
    await bucket.put('k', 'x');
    await block({ BlockPublicAcls: true });
    const put = (ACL: 'public-read' | 'private'): Promise<unknown>[] => [
      bucket.client.send(new PutBucketAclCommand({ Bucket, ACL })),
      bucket.client.send(new PutObjectAclCommand({ Bucket, Key: 'k', ACL })),
      bucket.put(`of-${ACL}`, 'x', { ACL }),
    ];
    expect(new Set(await Promise.all(put('public-read').map(refusalOf)))).toEqual(
      new Set(['403 AccessDenied']),
    );
    expect(new Set(await Promise.all(put('private').map(refusalOf)))).toEqual(
      new Set(['accepted']),
    );
    expect(await bucket.left()).toMatchObject({ versions: 2 });
  });

  it('ignores existing public ACLs', async () => {
    await bucket.client.send(new PutBucketAclCommand({ Bucket, ACL: 'public-read' }));
    await bucket.put('k', 'x', { ACL: 'public-read' });
    expect([await unsigned(), await unsigned('/k')]).toEqual([200, 200]);
    await block({ IgnorePublicAcls: true });
    expect([await unsigned(), await unsigned('/k')]).toEqual([403, 403]);
    await bucket.client.send(new DeletePublicAccessBlockCommand({ Bucket }));
    expect([await unsigned(), await unsigned('/k')]).toEqual([200, 200]);
  });

  it('refuses public policies only', async () => {
    await block({ BlockPublicPolicy: true });
    expect(await refusalOf(bucket.client.send(allow()))).toBe('403 AccessDenied');
    await bucket.client.send(allow({ AWS: 'arn:aws:iam::s3tenant1:root' }));
  });

  it('denies other projects what a public policy grants', async () => {
    await bucket.put('k', 'x');
    await bucket.client.send(allow());
    expect(await unsigned('/k')).toBe(200);
    await block({ RestrictPublicBuckets: true });
    expect(await unsigned('/k')).toBe(403);
    expect(await bucket.text('k')).toBe('x');
    const status = await bucket.client.send(new GetBucketPolicyStatusCommand({ Bucket }));
    expect(status.PolicyStatus?.IsPublic).toBe(false);
  });
});

describe('ownership', () => {
  const key = 'k';

  async function control(ownership: ObjectOwnership): Promise<void> {
    const OwnershipControls = { Rules: [{ ObjectOwnership: ownership }] };
    await bucket.client.send(new PutBucketOwnershipControlsCommand({ Bucket, OwnershipControls }));
    await bucket.client.send(allow());
  }

  /** The owner of an object that another project writes. */
  async function ownerOf(ACL?: 'private' | 'bucket-owner-full-control'): Promise<unknown> {
    const client = s3.client(s3.stranger);
    const theirs = Object.assign(Object.create(TestBucket.prototype) as TestBucket, bucket, {
      client,
    });
    await theirs.put(key, 'x', ACL && { ACL });
    const acl = await client.send(new GetObjectAclCommand({ Bucket, Key: key }));
    return acl.Owner?.ID;
  }

  it('belongs to the bucket owner where that is enforced, and ACLs are refused', async () => {
    await control('BucketOwnerEnforced');
    expect(await ownerOf()).toBe(s3.projectId);
    expect(await ownerOf('bucket-owner-full-control')).toBe(s3.projectId);
    const refusals = await Promise.all(
      [
        ownerOf('private'),
        bucket.client.send(new PutBucketAclCommand({ Bucket, ACL: 'private' })),
        bucket.client.send(new PutObjectAclCommand({ Bucket, Key: key, ACL: 'private' })),
      ].map(refusalOf),
    );
    expect(new Set(refusals)).toEqual(new Set(['400 AccessControlListNotSupported']));
  });

  it('disables ACLs once it is enforced', async () => {
    await bucket.put(key, 'x', { ACL: 'public-read' });
    expect(await unsigned('/k')).toBe(200);
    const Rules = [{ ObjectOwnership: 'BucketOwnerEnforced' as const }];
    const OwnershipControls = { Rules };
    await bucket.client.send(new PutBucketOwnershipControlsCommand({ Bucket, OwnershipControls }));
    expect(await unsigned('/k')).toBe(403);
  });

  it('goes to the bucket owner where that is preferred and the writer agrees', async () => {
    await control('BucketOwnerPreferred');
    expect(await ownerOf()).toBe(s3.stranger.projectId);
    expect(await ownerOf('private')).toBe(s3.stranger.projectId);
    expect(await ownerOf('bucket-owner-full-control')).toBe(s3.projectId);
  });

  it('lets a policy grant access only to objects that the bucket owner owns', async () => {
    await control('ObjectWriter');
    await bucket.put('mine', 'x');
    await ownerOf();
    const another = s3.client(s3.keys.issue(s3.member.userId, ['member']));
    await another.send(new ListObjectsV2Command({ Bucket }));
    expect([await unsigned('/mine'), await unsigned(`/${key}`)]).toEqual([200, 403]);
  });
});
