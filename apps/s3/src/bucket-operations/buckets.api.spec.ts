import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetBucketLocationCommand,
  GetBucketVersioningCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type BucketLocationConstraint,
  type CreateBucketCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { asId } from '@cumulet/common/context/ids';
import { newId } from '@cumulet/testing/test-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Bucket } from '../buckets/bucket.entity.js';
import { BucketRepository } from '../buckets/bucket.repository.js';
import { TestS3 } from '../s3.fixture.js';
import { signedFetch } from '../signed-fetch.fixture.js';

let s3: TestS3;
let client: S3Client;

beforeAll(async () => {
  s3 = await TestS3.start();
  client = s3.client();
});
afterAll(() => s3.stop());

const newName = (): string => `b-${newId()}`;

async function create(more: Partial<CreateBucketCommandInput> = {}): Promise<string> {
  const name = newName();
  await client.send(new CreateBucketCommand({ Bucket: name, ...more }));
  return name;
}

async function read(name: string): Promise<Bucket | undefined> {
  const asked = { prefix: name, after: '', region: undefined, limit: 1 };
  const { ctx } = s3.started;
  const found = await new BucketRepository().list(ctx, asId(s3.projectId), asked);
  return found[0];
}

const refused = (name: string, status: number, more: object = {}) =>
  expect.objectContaining({
    name,
    $metadata: expect.objectContaining({ httpStatusCode: status }) as object,
    ...more,
  });

describe('CreateBucket', () => {
  it('creates a bucket and returns its location', async () => {
    const name = newName();
    const created = await client.send(new CreateBucketCommand({ Bucket: name }));
    expect(created.Location).toBe(`/${name}`);
    expect(await read(name)).toMatchObject({ region: 'us-east-1', versioning: 'off', acl: null });
  });

  it('applies the requested region, ACL, ownership, lock and tags', async () => {
    const name = await create({
      ACL: 'public-read',
      ObjectOwnership: 'BucketOwnerPreferred',
      ObjectLockEnabledForBucket: true,
      CreateBucketConfiguration: {
        LocationConstraint: 'eu-central-1',
        Tags: [{ Key: 'a', Value: 'b' }],
      },
    });
    const bucket = await read(name);
    expect(bucket).toMatchObject({
      region: 'eu-central-1',
      versioning: 'enabled',
      objectLock: true,
      configurations: { ownership: 'BucketOwnerPreferred', tagging: { a: 'b' } },
    });
    expect(bucket?.acl?.grants).toHaveLength(2);
  });

  it('refuses a name that the project uses, but not one that another project uses', async () => {
    const name = await create();
    const again = new CreateBucketCommand({ Bucket: name });
    await expect(client.send(again)).rejects.toEqual(refused('BucketAlreadyExists', 409));
    await s3.client(s3.stranger).send(again);
  });

  it('refuses a path of another project', async () => {
    const path = `/${s3.stranger.projectId}:${newName()}`;
    expect(await signedFetch(s3, { method: 'PUT', path })).toMatchObject({ status: 403 });
  });

  const configuration = (content: string): string =>
    `<CreateBucketConfiguration>${content}</CreateBucketConfiguration>`;

  it.each([
    ['an invalid name', '/foo_bar', '', 'InvalidBucketName', 400],
    ['a name with NUL', '/foo%00bar', '', 'InvalidBucketName', 400],
    ['a name that is too long', `/${'a'.repeat(64)}`, '', 'InvalidBucketName', 400],
    [
      'an invalid region',
      '/',
      configuration('<LocationConstraint>a b</LocationConstraint>'),
      'InvalidLocationConstraint',
      400,
    ],
    [
      'tags',
      '/',
      configuration('<Tags><Tag><Key>aws:a</Key><Value/></Tag></Tags>'),
      'InvalidTag',
      400,
    ],
    [
      'a directory bucket',
      '/',
      configuration('<Bucket><Type>Directory</Type></Bucket>'),
      'NotImplemented',
      501,
    ],
    ['another document', '/', '<LocationConstraint/>', 'MalformedXML', 400],
    ['invalid XML', '/', 'eu-central-1', 'MalformedXML', 400],
    [
      'entities',
      '/',
      '<!DOCTYPE a [<!ENTITY b "c">]><CreateBucketConfiguration/>',
      'MalformedXML',
      400,
    ],
  ])('refuses %s, and stores nothing', async (_, at, body, code, status) => {
    const name = at === '/' ? newName() : at.slice(1);
    const answer = await signedFetch(s3, { method: 'PUT', path: `/${name}`, body });
    expect(answer).toMatchObject({ status, code });
    expect(await read(name.replaceAll('%00', ''))).toBeUndefined();
  });

  it.each([
    ['x-amz-bucket-object-lock-enabled', 'maybe', 'InvalidArgument'],
    ['x-amz-object-ownership', 'Nobody', 'InvalidArgument'],
    ['x-amz-acl', 'public-ready', 'InvalidArgument'],
  ])('refuses the header %s: %s', async (header, value, code) => {
    const name = newName();
    const headers = { [header]: value };
    const answer = await signedFetch(s3, { method: 'PUT', path: `/${name}`, headers });
    expect(answer).toMatchObject({ status: 400, code });
    expect(await read(name)).toBeUndefined();
  });
});

describe('HeadBucket and GetBucketLocation', () => {
  it.each([
    ['us-east-1', undefined],
    ['eu-central-1', 'eu-central-1'],
    ['eu-west-1', 'EU'],
  ])('return the region %s', async (region, asked) => {
    const constraint = asked as BucketLocationConstraint | undefined;
    const configuration = constraint && { LocationConstraint: constraint };
    const Bucket = await create({ CreateBucketConfiguration: configuration });
    const head = await client.send(new HeadBucketCommand({ Bucket }));
    expect(head.BucketRegion).toBe(region);
    const location = await client.send(new GetBucketLocationCommand({ Bucket }));
    expect(location.LocationConstraint ?? 'us-east-1').toBe(region);
  });

  it('return usage if asked as Ceph is', async () => {
    const Bucket = await create();
    for (const Key of ['a', 'b'])
      await client.send(new PutObjectCommand({ Bucket, Key, Body: 'foo' }));
    const path = `/${Bucket}?read-stats=true`;
    const { headers } = await signedFetch(s3, { method: 'HEAD', path });
    expect(headers.get('x-rgw-object-count')).toBe('2');
    expect(headers.get('x-rgw-bytes-used')).toBe('6');
    expect(headers.get('x-rgw-quota-max-buckets')).toBe(String(s3.started.config.bucketQuota));
    const plain = await signedFetch(s3, { method: 'HEAD', path: `/${Bucket}` });
    expect(plain.headers.has('x-rgw-object-count')).toBe(false);
  });

  it.each(['no-such-bucket', 'a%00b', 'ab', 'A_B'])('do not find the bucket %s', async (name) => {
    const head = await signedFetch(s3, { method: 'HEAD', path: `/${name}` });
    expect([head.status, head.text]).toEqual([404, '']);
    const location = await signedFetch(s3, { method: 'GET', path: `/${name}?location` });
    expect(location).toMatchObject({ status: 404, code: 'NoSuchBucket' });
  });
});

describe('ListBuckets', () => {
  it("lists the caller's buckets by name, page by page", async () => {
    const key = s3.keys.issue(newId(), ['member', 'reader']);
    const own = s3.client(key);
    const names = ['list-a', 'list-b', 'list-c', 'other'];
    for (const Bucket of names) await own.send(new CreateBucketCommand({ Bucket }));
    const all = await own.send(new ListBucketsCommand());
    expect(all.Buckets?.map(({ Name }) => Name)).toEqual(names);
    expect(all.Owner).toEqual({ ID: key.projectId, DisplayName: key.projectId });
    expect(all.Buckets?.[0]?.CreationDate).toBeInstanceOf(Date);
    expect(all.ContinuationToken).toBeUndefined();

    const paged = { Prefix: 'list-', MaxBuckets: 2 };
    const first = await own.send(new ListBucketsCommand(paged));
    expect(first.Buckets?.map(({ Name }) => Name)).toEqual(['list-a', 'list-b']);
    expect(first.Prefix).toBe('list-');
    const { ContinuationToken } = first;
    const second = await own.send(new ListBucketsCommand({ ...paged, ContinuationToken }));
    expect(second.Buckets?.map(({ Name }) => Name)).toEqual(['list-c']);
    expect(second.ContinuationToken).toBeUndefined();
  });

  it('lists buckets of one region', async () => {
    const name = await create({ CreateBucketConfiguration: { LocationConstraint: 'ca-west-1' } });
    const list = await client.send(new ListBucketsCommand({ BucketRegion: 'ca-west-1' }));
    expect(list.Buckets).toMatchObject([{ Name: name, BucketRegion: 'ca-west-1' }]);
  });

  it('lists no buckets for an anonymous caller', async () => {
    const response = await fetch(`${s3.url}/`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<Buckets></Buckets>');
  });

  it.each(['max-buckets=0', 'max-buckets=10001', 'max-buckets=x', 'continuation-token=x'])(
    'refuses %s',
    async (query) => {
      const answer = await signedFetch(s3, { method: 'GET', path: `/?${query}` });
      expect(answer).toMatchObject({ status: 400, code: 'InvalidArgument' });
    },
  );
});

describe('versioning', () => {
  const statusOf = async (Bucket: string): Promise<string | undefined> =>
    (await client.send(new GetBucketVersioningCommand({ Bucket }))).Status;
  const put = (Bucket: string, Status: 'Enabled' | 'Suspended') =>
    client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));

  it('is off until it is enabled or suspended', async () => {
    const name = await create();
    expect(await statusOf(name)).toBeUndefined();
    for (const status of ['Suspended', 'Enabled', 'Enabled', 'Suspended'] as const) {
      await put(name, status);
      expect(await statusOf(name)).toBe(status);
    }
  });

  it('stays enabled where objects can be locked', async () => {
    const name = await create({ ObjectLockEnabledForBucket: true });
    await expect(put(name, 'Suspended')).rejects.toEqual(refused('InvalidBucketState', 409));
    expect(await statusOf(name)).toBe('Enabled');
    await put(name, 'Enabled');
  });

  it.each([
    ['', 'MissingRequestBodyError', 400],
    ['<VersioningConfiguration/>', 'IllegalVersioningConfigurationException', 400],
    ['<VersioningConfiguration><Status>On</Status></VersioningConfiguration>', 'MalformedXML', 400],
    [
      '<VersioningConfiguration><Status>Enabled</Status><MfaDelete>Enabled</MfaDelete></VersioningConfiguration>',
      'NotImplemented',
      501,
    ],
  ])('refuses %j, and changes nothing', async (body, code, status) => {
    const name = await create();
    const answer = await signedFetch(s3, { method: 'PUT', path: `/${name}?versioning`, body });
    expect(answer).toMatchObject({ status, code });
    expect(await statusOf(name)).toBeUndefined();
  });
});

describe('DeleteBucket', () => {
  it('deletes a bucket', async () => {
    const Bucket = await create();
    const removed = await client.send(new DeleteBucketCommand({ Bucket }));
    expect(removed.$metadata.httpStatusCode).toBe(204);
    expect(await read(Bucket)).toBeUndefined();
    const again = client.send(new DeleteBucketCommand({ Bucket }));
    await expect(again).rejects.toEqual(refused('NoSuchBucket', 404));
  });

  it('refuses a bucket that has an object, an old version or a delete marker', async () => {
    const Bucket = await create();
    const remove = (): Promise<unknown> => client.send(new DeleteBucketCommand({ Bucket }));
    await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }));
    await expect(remove()).rejects.toEqual(refused('BucketNotEmpty', 409));
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
    await expect(remove()).rejects.toEqual(refused('BucketNotEmpty', 409));
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'a', VersionId: 'null' }));
    await expect(remove()).rejects.toEqual(refused('BucketNotEmpty', 409));
    expect(await read(Bucket)).toBeDefined();
  });

  it("does not affect another project's bucket", async () => {
    const Bucket = await create();
    const stranger = s3.client(s3.stranger).send(new DeleteBucketCommand({ Bucket }));
    await expect(stranger).rejects.toEqual(refused('NoSuchBucket', 404));
    const path = `/${s3.projectId}:${Bucket}`;
    const named = await signedFetch(s3, { method: 'DELETE', path, key: s3.stranger });
    expect(named).toMatchObject({ status: 403, code: 'AccessDenied' });
    expect(await read(Bucket)).toBeDefined();
  });
});
