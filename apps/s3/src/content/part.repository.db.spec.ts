import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import 'reflect-metadata';
import { S3Database } from '../database/s3-database.fixture.js';
import { looseAmong, newBucket, newPart, newUpload } from '../multipart/multipart.db.fixture.js';
import type { UploadName, Upload } from '../multipart/upload.entity.js';
import { UploadRepository } from '../multipart/upload.repository.js';
import { PartRepository } from './part.repository.js';

let database: S3Database;
let ctx: RequestContext;
const uploads = new UploadRepository();
const parts = new PartRepository();

beforeAll(async () => {
  database = await S3Database.create();
  ({ ctx } = database);
});
afterAll(() => database.destroy());

async function begun(): Promise<Upload> {
  const { id } = await newBucket(ctx);
  const upload = newUpload(id, 'key');
  await uploads.create(ctx, upload);
  return upload;
}

const nameOf = ({ id, bucketId, key }: Upload): UploadName => ({
  id,
  bucketId,
  key: key.toString(),
});

it('a part replaces the one with its number, whose data becomes loose', async () => {
  const { id } = await begun();
  const [former, latter] = [newPart(id, 1), newPart(id, 1)];
  expect(await parts.put(ctx, former)).toBeInstanceOf(Date);
  expect(await looseAmong(ctx, [former.dataId])).toEqual([]);
  await parts.put(ctx, latter);
  expect(await parts.all(ctx, id)).toMatchObject([{ etag: latter.etag }]);
  expect(await looseAmong(ctx, [former.dataId, latter.dataId])).toEqual([former.dataId]);
});

it("one of several concurrent writes of a part is kept, and the others' bytes become loose", async () => {
  const { id } = await begun();
  const all = Array.from({ length: 8 }, () => newPart(id, 1));
  await Promise.all(all.map((part) => parts.put(ctx, part)));
  const [stored] = await parts.all(ctx, id);
  const others = all.map(({ dataId }) => dataId).filter((one) => one !== stored?.dataId);
  expect(others).toHaveLength(7);
  expect((await looseAmong(ctx, others)).sort()).toEqual(others.sort());
});

it('parts are listed by number', async () => {
  const { id } = await begun();
  for (const number of [10_000, 3, 2]) await parts.put(ctx, newPart(id, number));
  const numbers = async (after: number, limit: number): Promise<number[]> =>
    (await parts.list(ctx, id, after, limit)).map(({ number }) => number);
  expect(await numbers(0, 2)).toEqual([2, 3]);
  expect(await numbers(3, 2)).toEqual([10_000]);
});

it('deleting an upload removes its parts, and their bytes become loose', async () => {
  const upload = await begun();
  const all = [newPart(upload.id, 1), newPart(upload.id, 2)];
  for (const part of all) await parts.put(ctx, part);
  expect(await uploads.delete(ctx, nameOf(upload))).toBe(true);
  expect(await parts.all(ctx, upload.id)).toEqual([]);
  expect(
    await looseAmong(
      ctx,
      all.map((one) => one.dataId),
    ),
  ).toHaveLength(2);
  expect(await uploads.delete(ctx, nameOf(upload))).toBe(false);
});

it('a part of an unknown upload is not stored', async () => {
  const upload = await begun();
  await uploads.delete(ctx, nameOf(upload));
  expect(await parts.put(ctx, newPart(upload.id, 1))).toBeUndefined();
  expect(await parts.all(ctx, upload.id)).toEqual([]);
});

it('a part that is stored while its upload is deleted is deleted with it', async () => {
  const upload = await begun();
  const part = newPart(upload.id, 1);
  let deleted: Promise<boolean> | undefined;
  await inTransaction(ctx, async (tx) => {
    await parts.put(tx, part);
    deleted = uploads.delete(ctx, nameOf(upload));
  });
  expect(await deleted).toBe(true);
  expect(await parts.all(ctx, upload.id)).toEqual([]);
  expect(await looseAmong(ctx, [part.dataId])).toEqual([part.dataId]);
});
