import {
  GetObjectAclCommand,
  ListObjectsV2Command,
  PutBucketAclCommand,
  PutObjectAclCommand,
  type Grant,
  type PutObjectAclCommandInput,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ALL_USERS } from '../buckets/acl.js';
import { refusalOf, TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';

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
  theirs = as(s3.client(s3.stranger));
});

function as(client: TestBucket['client']): TestBucket {
  return Object.assign(Object.create(TestBucket.prototype) as TestBucket, mine, { client });
}

function put(
  Key: string,
  input: Omit<PutObjectAclCommandInput, 'Bucket' | 'Key'>,
  { client, name: Bucket } = mine,
): Promise<unknown> {
  return client.send(new PutObjectAclCommand({ Bucket, Key, ...input }));
}

async function shown(
  Key: string,
  { client, name: Bucket } = mine,
): Promise<[owner: string | undefined, grants: Grant[] | undefined]> {
  const { Owner, Grants } = await client.send(new GetObjectAclCommand({ Bucket, Key }));
  return [Owner?.ID, Grants];
}

function toProject(id: string, Permission: Grant['Permission'] = 'FULL_CONTROL'): Grant {
  return { Grantee: { Type: 'CanonicalUser', ID: id, DisplayName: id }, Permission };
}
function toGroup(URI: string, Permission: Grant['Permission']): Grant {
  return { Grantee: { Type: 'Group', URI }, Permission };
}

async function unsigned(path: string, init?: RequestInit): Promise<number> {
  return (await fetch(`${s3.url}/${mine.name}${path}`, init)).status;
}

async function openBucket(ACL: 'public-read' | 'public-read-write'): Promise<void> {
  await mine.client.send(new PutBucketAclCommand({ Bucket: mine.name, ACL }));
}

describe('the ACL of an object', () => {
  it('can be set on creation and changed', async () => {
    await mine.put('k', 'x', { ACL: 'public-read' });
    const owner = toProject(s3.projectId);
    expect(await shown('k')).toEqual([s3.projectId, [toGroup(ALL_USERS, 'READ'), owner]]);
    expect(await unsigned('/k')).toBe(200);
    await put('k', { ACL: 'private' });
    expect(await shown('k')).toEqual([s3.projectId, [owner]]);
    expect(await unsigned('/k')).toBe(403);
  });

  it('does not change the modification time', async () => {
    await mine.put('k', 'x');
    const before = (await mine.head('k')).LastModified;
    await put('k', { ACL: 'public-read' });
    expect((await mine.head('k')).LastModified).toEqual(before);
  });

  it('may omit its owner, who can still read', async () => {
    await mine.put('k', 'x');
    const Grants = [toProject(s3.projectId, 'WRITE')];
    await put('k', { AccessControlPolicy: { Owner: { ID: s3.projectId }, Grants } });
    expect(await shown('k')).toEqual([s3.projectId, Grants]);
    expect(await mine.text('k')).toBe('x');
  });

  it('shows grants from headers in the order of permissions', async () => {
    const who = `id=${s3.stranger.projectId}`;
    await mine.put('k', 'x', {
      GrantFullControl: who,
      GrantRead: who,
      GrantReadACP: who,
      GrantWriteACP: who,
    });
    const { projectId } = s3.stranger;
    expect((await shown('k'))[1]).toEqual([
      toProject(projectId, 'READ'),
      toProject(projectId, 'READ_ACP'),
      toProject(projectId, 'WRITE_ACP'),
      toProject(projectId),
    ]);
    await put('k', { ACL: 'private' }, theirs);
    expect(await refusalOf(theirs.text('k'))).toBe('403 AccessDenied');
  });

  it('applies to the named version', async () => {
    const versioned = await TestBucket.versioned(s3);
    const { VersionId } = await versioned.put('k', 'old', { ACL: 'public-read' });
    await versioned.put('k', 'new');
    const old = await fetch(`${s3.url}/${versioned.name}/k?versionId=${VersionId ?? ''}`);
    expect(await old.text()).toBe('old');
    expect((await fetch(`${s3.url}/${versioned.name}/k`)).status).toBe(403);
    await put('k', { ACL: 'private', VersionId }, versioned);
    await put('k', { ACL: 'public-read' }, versioned);
    expect((await fetch(`${s3.url}/${versioned.name}/k`)).status).toBe(200);
  });

  it.each([
    ['is missing', 'missing', 404],
    ['is hidden from those who cannot list', 'missing', 403],
  ])('of an object that %s is refused', async (why, key, status) => {
    const who = why === 'is missing' ? mine : theirs;
    const expected = status === 404 ? '404 NoSuchKey' : '403 AccessDenied';
    expect(await refusalOf(put(key, { ACL: 'private' }, who))).toBe(expected);
  });
});

describe('a private bucket', () => {
  it('shows others only public objects, and lets them change nothing', async () => {
    await mine.put('open', 'x', { ACL: 'public-read-write' });
    await mine.put('closed', 'x');
    expect(await theirs.text('open')).toBe('x');
    const refusals = await Promise.all(
      [
        theirs.text('closed'),
        theirs.text('missing'),
        theirs.put('open', 'y'),
        theirs.put('new', 'y'),
        theirs.delete('open'),
        theirs.client.send(new ListObjectsV2Command({ Bucket: mine.name })),
      ].map(refusalOf),
    );
    expect(new Set(refusals)).toEqual(new Set(['403 AccessDenied']));
    expect(await unsigned('/missing')).toBe(403);
    expect(await mine.left()).toMatchObject({ versions: 2 });
  });
});

describe('a bucket that everybody may list', () => {
  it('tells which objects are missing', async () => {
    await openBucket('public-read');
    expect(await unsigned('/missing')).toBe(404);
    expect(await unsigned('/k', { method: 'PUT', body: 'x' })).toBe(403);
    expect(await mine.left()).toMatchObject({ versions: 0 });
  });
});

describe('a bucket that everybody may write', () => {
  beforeEach(() => openBucket('public-read-write'));

  it('contains objects that their writer owns and the bucket owner may delete', async () => {
    await theirs.put('k', 'x');
    expect((await shown('k', theirs))[0]).toBe(s3.stranger.projectId);
    expect(await refusalOf(mine.text('k'))).toBe('403 AccessDenied');
    expect(await refusalOf(shown('k'))).toBe('403 AccessDenied');
    await mine.delete('k');
    expect(await mine.left()).toMatchObject({ versions: 0 });
  });

  it('shares them with the bucket owner if their writer grants that', async () => {
    await theirs.put('k', 'x', { ACL: 'bucket-owner-full-control' });
    expect(await mine.text('k')).toBe('x');
    expect((await shown('k'))[1]).toEqual([
      toProject(s3.projectId),
      toProject(s3.stranger.projectId),
    ]);
  });

  it('assigns unsigned uploads to its owner', async () => {
    expect(await unsigned('/k', { method: 'PUT', body: 'x' })).toBe(200);
    expect(await mine.text('k')).toBe('x');
    expect((await shown('k'))[0]).toBe(s3.projectId);
    expect(await unsigned('/k')).toBe(403);
  });
});

describe('a reader', () => {
  it('may read, but write nowhere', async () => {
    await openBucket('public-read-write');
    await mine.put('k', 'x');
    const reader = as(s3.client(s3.keys.issue(s3.projectId, ['reader'])));
    expect(await reader.text('k')).toBe('x');
    expect(await refusalOf(reader.put('k', 'y'))).toBe('403 AccessDenied');
    expect(await refusalOf(reader.delete('k'))).toBe('403 AccessDenied');
    expect(await mine.text('k')).toBe('x');
  });
});

describe('an administrator', () => {
  it('may act in all projects', async () => {
    await mine.put('k', 'x');
    const admin = as(s3.client(s3.keys.issue(s3.stranger.projectId, ['admin'])));
    expect(await admin.text('k')).toBe('x');
  });
});

it('an invalid ACL is refused before any bytes are read', async () => {
  for (const input of [{ ACL: 'nonsense' as never }, { GrantRead: 'id=nobody' }])
    expect(await refusalOf(mine.put('k', 'x', input))).toBe('400 InvalidArgument');
  expect(await mine.left()).toEqual({ versions: 0, kept: 0 });
});
