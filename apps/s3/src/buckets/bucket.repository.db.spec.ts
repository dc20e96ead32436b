import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { newId } from '@cumulet/testing/test-tokens';
import { S3Database } from '../database/s3-database.fixture.js';
import { Bucket } from './bucket.entity.js';
import { BucketRepository, type NewBucket } from './bucket.repository.js';

let database: S3Database;
let ctx: RequestContext;
const buckets = new BucketRepository();

beforeAll(async () => {
  database = await S3Database.create();
  ({ ctx } = database);
});
afterAll(() => database.destroy());

const newProject = (): ProjectId => asId(newId());

async function create(more: Partial<NewBucket> = {}): Promise<Bucket> {
  const projectId = newProject();
  const bucket = { projectId, name: 'backups', region: 'us-east-1', ...more };
  const created = await buckets.create(ctx, bucket);
  if (!created) throw new Error(`there is a bucket ${bucket.name}`);
  return created;
}

const read = async ({ id }: Bucket): Promise<Bucket | undefined> =>
  selectRow(ctx.manager, Bucket, 'WHERE id = $1', [id]);

it('a bucket is stored with the values that it is created with', async () => {
  const acl = { owner: 'one', grants: [] };
  const configurations = { tagging: { a: 'b' } };
  const bucket = await create({ name: 'a.b', region: 'eu', acl, configurations });
  expect(bucket).toMatchObject({ name: 'a.b', region: 'eu', acl, configurations });
  expect(bucket).toMatchObject({ versioning: 'off', objectLock: false });
  expect(bucket.createdAt).toBeInstanceOf(Date);
  expect(await read(bucket)).toEqual(bucket);
});

it('a name is unique within a project only', async () => {
  const { projectId } = await create();
  await create();
  expect(await buckets.create(ctx, { projectId, name: 'backups', region: 'eu' })).toBeUndefined();
});

it('one of several concurrent creations succeeds', async () => {
  const bucket = { projectId: newProject(), name: 'raced', region: 'us-east-1' };
  const all = await Promise.all(Array.from({ length: 8 }, () => buckets.create(ctx, bucket)));
  expect(all.filter((one) => one !== undefined)).toHaveLength(1);
});

it('one of several concurrent claims finds a name free', async () => {
  const claims = Array.from({ length: 8 }, () =>
    inTransaction(ctx, async (tx) => {
      if (await buckets.claimName(tx, 'claimed')) return 0;
      await buckets.create(tx, { projectId: newProject(), name: 'claimed', region: 'eu' });
      return 1;
    }),
  );
  const created = await Promise.all(claims);
  expect(created.reduce<number>((sum, one) => sum + one, 0)).toBe(1);
});

it('a list filters names by position, prefix and region, in byte order', async () => {
  const projectId = newProject();
  for (const name of ['b.a', 'b-a', 'ba0', 'c00', 'a00']) await create({ projectId, name });
  await create({ projectId, name: 'b-elsewhere', region: 'eu' });
  const names = async (more: object): Promise<string[]> => {
    const asked = { prefix: '', after: '', region: undefined, limit: 10, ...more };
    return (await buckets.list(ctx, projectId, asked)).map(({ name }) => name);
  };
  expect(await names({})).toEqual(['a00', 'b-a', 'b-elsewhere', 'b.a', 'ba0', 'c00']);
  expect(await names({ prefix: 'b' })).toEqual(['b-a', 'b-elsewhere', 'b.a', 'ba0']);
  expect(await names({ prefix: 'b%' })).toEqual([]);
  expect(await names({ prefix: 'b', after: 'b-a', limit: 2 })).toEqual(['b-elsewhere', 'b.a']);
  expect(await names({ region: 'eu' })).toEqual(['b-elsewhere']);
});

it('several kinds can be configured independently, even concurrently', async () => {
  const bucket = await create();
  await Promise.all([
    buckets.configure(ctx, bucket, 'policy', '{}'),
    buckets.configure(ctx, bucket, 'tagging', { is: 'replaced' }),
    buckets.configure(ctx, bucket, 'website', { indexSuffix: 'index.html' }),
  ]);
  await buckets.configure(ctx, bucket, 'policy', null);
  await buckets.configure(ctx, bucket, 'tagging', { whole: 'new' });
  expect((await read(bucket))?.configurations).toEqual({
    tagging: { whole: 'new' },
    website: { indexSuffix: 'index.html' },
  });
});

it('versioning can be changed, except where objects can be locked', async () => {
  const plain = await create();
  expect(await buckets.enableObjectLock(ctx, plain)).toBe(false);
  expect(await buckets.setVersioning(ctx, plain, 'suspended')).toBe(true);
  expect(await buckets.setVersioning(ctx, plain, 'enabled')).toBe(true);
  expect(await buckets.enableObjectLock(ctx, plain)).toBe(true);
  const locked = await create({ objectLock: true });
  for (const bucket of [plain, locked]) {
    expect(await buckets.setVersioning(ctx, bucket, 'suspended')).toBe(false);
    expect(await read(bucket)).toMatchObject({ versioning: 'enabled', objectLock: true });
  }
});

it('an ACL can be set and removed', async () => {
  const bucket = await create();
  const acl = { owner: bucket.projectId, grants: [] };
  expect(await buckets.setAcl(ctx, bucket, acl)).toBe(true);
  expect((await read(bucket))?.acl).toEqual(acl);
  await buckets.setAcl(ctx, bucket, null);
  expect((await read(bucket))?.acl).toBeNull();
});

it('a deleted bucket cannot be changed', async () => {
  const bucket = await create();
  expect(await inTransaction(ctx, (tx) => buckets.delete(tx, bucket))).toBe(true);
  expect(await read(bucket)).toBeUndefined();
  expect(await buckets.configure(ctx, bucket, 'cors', [])).toBe(false);
  expect(await buckets.setAcl(ctx, bucket, null)).toBe(false);
  expect(await buckets.setVersioning(ctx, bucket, 'enabled')).toBe(false);
});
