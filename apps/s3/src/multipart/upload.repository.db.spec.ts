import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { S3Database } from '../database/s3-database.fixture.js';
import { newBucket, newUpload } from './multipart.db.fixture.js';
import { type Upload, newUploadId } from './upload.entity.js';
import { markerOf } from './list-uploads.operations.js';
import { UploadRepository } from './upload.repository.js';

let database: S3Database;
let ctx: RequestContext;
const uploads = new UploadRepository();

beforeAll(async () => {
  database = await S3Database.create();
  ({ ctx } = database);
});
afterAll(() => database.destroy());

it('an upload is stored with all properties of its future object', async () => {
  const { id: bucketId } = await newBucket(ctx);
  const upload = newUpload(bucketId, 'a\u0000/\u{1f600}', {
    initiatorId: null,
    checksumAlgorithm: 'SHA256',
    checksumType: 'COMPOSITE',
    encryption: { kind: 'SSE-C', keyMd5: 'bWQ1', sealedKey: null },
    headers: { 'content-type': 'text/plain' },
    metadata: { word: 'thing' },
    tags: { a: 'b' },
    acl: { owner: 'one', grants: [] },
    storageClass: 'GLACIER',
    retentionMode: 'GOVERNANCE',
    retainUntil: new Date('2030-01-01T00:00:00Z'),
    legalHold: true,
    legalHoldTold: true,
  });
  await uploads.create(ctx, upload);
  const name = { id: upload.id, bucketId, key: upload.key.toString() };
  expect(await uploads.find(ctx, name)).toEqual(upload);
  expect(await uploads.find(ctx, { ...name, key: 'another' })).toBeUndefined();
  const other = await newBucket(ctx);
  expect(await uploads.find(ctx, { ...name, bucketId: other.id })).toBeUndefined();
});

describe('a list', () => {
  const KEYS = ['a', 'a', 'a/b', 'a/b/c', 'a/b/d', 'a//x', 'b', 'bb/1', 'bb/2', 'c/', 'c/', 'é/ü'];
  let all: readonly Upload[];

  beforeAll(async () => {
    const { id } = await newBucket(ctx);
    all = KEYS.map((key) => newUpload(id, key));
    for (const upload of [...all].reverse()) await uploads.create(ctx, upload);
    const other = await newBucket(ctx);
    await uploads.create(ctx, newUpload(other.id, 'a'));
  });

  const inOrder = (): readonly Upload[] =>
    all.toSorted((one, two) => one.key.compare(two.key) || (one.id < two.id ? -1 : 1));

  /** What lists show: an upload, or a common prefix once. */
  function expected(prefix: string, delimiter: string): string[] {
    const shown = inOrder()
      .map(({ key, id }) => [key.toString(), id] as const)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, id]) => {
        const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
        return at < 0 ? `${key} ${id}` : `${key.slice(0, at + delimiter.length)}…`;
      });
    return [...new Set(shown)];
  }

  /** Page after page, as a client goes on. */
  async function listed(prefix: string, delimiter: string, limit: number): Promise<string[]> {
    const shown: string[] = [];
    let query = new Map(Object.entries({ prefix, delimiter }));
    for (;;) {
      const asked = { bucketId: all[0]?.bucketId as never, prefix, delimiter, limit };
      const page = await uploads.list(ctx, { ...asked, after: markerOf(query) });
      const names = page.map(({ key, id, commonPrefix }) =>
        commonPrefix ? [commonPrefix.toString()] : [key.toString(), id],
      );
      shown.push(...names.map(([key = '', id]) => (id === undefined ? `${key}…` : `${key} ${id}`)));
      if (page.length < limit) return shown;
      const [key = '', id = ''] = names.at(-1) ?? [];
      query = new Map([...query, ['key-marker', key], ['upload-id-marker', id]]);
    }
  }

  it.each([
    ['', ''],
    ['a', ''],
    ['a/', ''],
    ['', '/'],
    ['a/', '/'],
    ['a', '/'],
    ['', 'b'],
    ['', '/b/'],
    ['é', '/'],
    ['none', '/'],
  ])('of %j with the delimiter %j is the same in pages of any size', async (prefix, delimiter) => {
    for (const limit of [1, 2, 3, 100])
      expect(await listed(prefix, delimiter, limit)).toEqual(expected(prefix, delimiter));
  });

  it('continues after a deleted upload', async () => {
    const { id: bucketId } = await newBucket(ctx);
    const upload = (at: number): Upload => newUpload(bucketId, 'k', { id: newUploadId(at) });
    const [one, two, three] = [upload(1), upload(2), upload(3)];
    for (const made of [three, two, one]) await uploads.create(ctx, made);
    await uploads.delete(ctx, { id: two.id, bucketId, key: 'k' });
    const asked = { bucketId, prefix: '', delimiter: '', limit: 10 };
    const after = markerOf(
      new Map(Object.entries({ 'key-marker': 'k', 'upload-id-marker': two.id })),
    );
    const found = await uploads.list(ctx, { ...asked, after });
    expect(found.map(({ id }) => id)).toEqual([three.id]);
  });
});
