import {
  CopyObjectCommand,
  GetObjectAclCommand,
  GetObjectTaggingCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectTaggingCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { refusalOf, TestBucket } from '../../objects/objects.fixture.js';
import { TestS3 } from '../../s3.fixture.js';

const DENIED = '403 AccessDenied';

let s3: TestS3;
let mine: TestBucket;
/** The same bucket, as another project uses it. */
let theirs: TestBucket;

beforeAll(async () => {
  s3 = await TestS3.start({ namespace: 'global' });
});
afterAll(() => s3.stop());

beforeEach(async () => {
  mine = await TestBucket.create(s3);
  theirs = Object.assign(Object.create(TestBucket.prototype) as TestBucket, mine, {
    client: s3.client(s3.stranger),
  });
});

interface Rule {
  readonly Effect?: 'Allow' | 'Deny';
  readonly Action: string | string[];
  readonly Condition?: object;
  /** Below the bucket; all of it by default. */
  readonly path?: string;
}

/** Lets anybody do this, or nobody. */
async function rule(bucket: TestBucket, ...rules: Rule[]): Promise<void> {
  const Statement = rules.map(({ Effect = 'Allow', path, ...rest }) => {
    const Resource = `arn:aws:s3:::${bucket.name}${path ?? '/*'}`;
    return { Effect, Principal: { AWS: '*' }, Resource, ...rest };
  });
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
  await bucket.client.send(new PutBucketPolicyCommand({ Bucket: bucket.name, Policy }));
}

function tag(key: string, tags: Readonly<Record<string, string>>, by = mine): Promise<unknown> {
  const TagSet = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  const input = { Bucket: mine.name, Key: key, Tagging: { TagSet } };
  return by.client.send(new PutObjectTaggingCommand(input));
}

describe('a policy about the tags of an object', () => {
  const Condition = { StringEquals: { 's3:ExistingObjectTag/security': 'public' } };

  beforeEach(async () => {
    await mine.put('open', 'x', { Tagging: 'security=public&a=b' });
    await mine.put('closed', 'x', { Tagging: 'security=private' });
    await mine.put('untagged', 'x');
  });

  it.each([
    [
      's3:GetObjectTagging',
      (Key: string) => new GetObjectTaggingCommand({ Bucket: mine.name, Key }),
    ],
    ['s3:GetObjectAcl', (Key: string) => new GetObjectAclCommand({ Bucket: mine.name, Key })],
  ])('lets others do %s only', async (Action, command) => {
    await rule(mine, { Action, Condition });
    const asked = ['open', 'closed', 'untagged'].map((key) =>
      refusalOf(theirs.client.send(command(key) as GetObjectTaggingCommand)),
    );
    expect(await Promise.all(asked)).toEqual(['accepted', DENIED, DENIED]);
    expect(await refusalOf(theirs.text('open'))).toBe(DENIED);
  });

  it('checks the tags that an object has, not those that it is about to get', async () => {
    await rule(mine, { Action: 's3:PutObjectTagging', Condition });
    expect(await refusalOf(tag('closed', { security: 'public' }, theirs))).toBe(DENIED);
    await tag('open', { security: 'private' }, theirs);
    expect(await refusalOf(tag('open', { security: 'public' }, theirs))).toBe(DENIED);
  });
});

describe('a policy about the tags of a request', () => {
  const Condition = { StringEquals: { 's3:RequestObjectTag/security': 'public' } };

  it('takes the tags of a new object from the headers', async () => {
    await rule(mine, { Action: 's3:PutObject', Condition });
    expect(await refusalOf(theirs.put('k', 'x'))).toBe(DENIED);
    await theirs.put('k', 'x', { Tagging: 'security=public' });
  });

  it('takes the tags of an existing object from the body', async () => {
    await mine.put('k', 'x');
    await rule(mine, { Action: 's3:PutObjectTagging', Condition });
    expect(await refusalOf(tag('k', { security: 'private' }, theirs))).toBe(DENIED);
    expect(await refusalOf(tag('k', {}, theirs))).toBe(DENIED);
    await tag('k', { security: 'public' }, theirs);
  });

  it('denies the owner tags that it forbids', async () => {
    await mine.put('k', 'x');
    await rule(mine, { Effect: 'Deny', Action: 's3:PutObjectTagging', Condition });
    expect(await refusalOf(tag('k', { security: 'public' }))).toBe(DENIED);
    await tag('k', { security: 'private' });
    expect(await refusalOf(mine.put('n', 'x', { Tagging: 'security=public' }))).toBe(DENIED);
    expect(await mine.left()).toMatchObject({ versions: 1 });
  });
});

describe('a policy about the source of a copy', () => {
  let target: TestBucket;

  beforeEach(async () => {
    for (const key of ['public/a b', 'private/a']) await mine.put(key, key);
    target = await TestBucket.create(s3);
  });

  function copy(key: string, MetadataDirective?: 'COPY'): Promise<unknown> {
    const CopySource = `${mine.name}/${encodeURIComponent(key)}`;
    const input = { Bucket: target.name, Key: 'copy', CopySource, MetadataDirective };
    return theirs.client.send(new CopyObjectCommand(input));
  }

  it('lets others copy the sources that it names', async () => {
    await rule(mine, { Action: 's3:GetObject' });
    const Condition = { StringLike: { 's3:x-amz-copy-source': `${mine.name}/public/*` } };
    await rule(target, { Action: 's3:PutObject', Condition });
    await copy('public/a b');
    expect(await refusalOf(copy('private/a'))).toBe(DENIED);
  });

  it('lets others copy what they may read', async () => {
    await rule(mine, { Action: 's3:GetObject', path: '/public/*' });
    await rule(target, { Action: 's3:PutObject' });
    await copy('public/a b');
    expect(await refusalOf(copy('private/a'))).toBe(DENIED);
    expect(await refusalOf(copy('private/missing'))).toBe(DENIED);
  });

  it('may require that metadata is copied', async () => {
    await rule(mine, { Action: 's3:GetObject' });
    const Condition = { StringEquals: { 's3:x-amz-metadata-directive': 'COPY' } };
    await rule(target, { Action: 's3:PutObject', Condition });
    await copy('public/a b', 'COPY');
    expect(await refusalOf(copy('public/a b'))).toBe(DENIED);
  });
});

describe('a policy about writing objects', () => {
  it('denies others public ACLs', async () => {
    const Condition = { StringLike: { 's3:x-amz-acl': 'public*' } };
    await rule(
      mine,
      { Action: 's3:PutObject' },
      { Effect: 'Deny', Action: 's3:PutObject', Condition },
    );
    await theirs.put('k', 'x');
    expect(await refusalOf(theirs.put('k', 'x', { ACL: 'public-read' }))).toBe(DENIED);
  });

  it('requires customer-provided keys', async () => {
    const Condition = { Null: { 's3:x-amz-server-side-encryption-customer-algorithm': 'true' } };
    await rule(mine, { Effect: 'Deny', Action: 's3:PutObject', Condition });
    expect(await refusalOf(mine.put('k', 'x'))).toBe(DENIED);
    const SSECustomerKey = Buffer.alloc(32, 7) as unknown as string;
    await mine.put('k', 'x', { SSECustomerAlgorithm: 'AES256', SSECustomerKey });
  });

  it('lets others lock objects only if it grants that', async () => {
    mine = await TestBucket.create(s3, { ObjectLockEnabledForBucket: true });
    theirs = Object.assign(theirs, { name: mine.name });
    await rule(mine, { Action: 's3:PutObject' });
    const hold = { ObjectLockLegalHoldStatus: 'ON' } as const;
    expect(await refusalOf(theirs.put('k', 'x', hold))).toBe(DENIED);
    expect(await mine.left()).toMatchObject({ versions: 0 });
    await rule(mine, { Action: ['s3:PutObject', 's3:PutObjectLegalHold'] });
    await theirs.put('k', 'x', hold);
  });
});

describe('a policy about lists', () => {
  it('lets others list the prefixes that it names', async () => {
    await mine.put('home/k', 'x');
    const Condition = { StringLike: { 's3:prefix': 'home/*' } };
    await rule(mine, { Action: 's3:ListBucket', Condition, path: '' });
    const list = (Prefix?: string): Promise<unknown> =>
      theirs.client.send(new ListObjectsV2Command({ Bucket: mine.name, Prefix }));
    await list('home/');
    expect(await Promise.all([refusalOf(list()), refusalOf(list('h'))])).toEqual([DENIED, DENIED]);
  });

  it('reveals to those who may list that an object is missing', async () => {
    await rule(mine, { Action: 's3:GetObject' });
    expect(await refusalOf(theirs.text('missing'))).toBe(DENIED);
    await rule(mine, { Action: 's3:GetObject' }, { Action: 's3:ListBucket', path: '' });
    expect(await refusalOf(theirs.text('missing'))).toBe('404 NoSuchKey');
  });

  it('reveals missing keys only under the prefixes that others may list', async () => {
    const Condition = { StringLike: { 's3:prefix': 'public/*' } };
    await rule(mine, { Action: 's3:ListBucket', Condition, path: '' });
    expect(await refusalOf(theirs.text('public/missing'))).toBe('404 NoSuchKey');
    expect(await refusalOf(theirs.text('private/missing'))).toBe(DENIED);
  });
});

it('governs versions by their own actions', async () => {
  const bucket = await TestBucket.versioned(s3);
  const { VersionId } = await bucket.put('k', 'x');
  const url = `${s3.url}/${bucket.name}/k`;
  const asked = async (): Promise<number[]> => [
    (await fetch(url)).status,
    (await fetch(`${url}?versionId=${VersionId ?? ''}`)).status,
  ];
  await rule(bucket, { Action: 's3:GetObject' });
  expect(await asked()).toEqual([200, 403]);
  await rule(bucket, { Action: 's3:GetObjectVersion' });
  expect(await asked()).toEqual([403, 200]);
});
