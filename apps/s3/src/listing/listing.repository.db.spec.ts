/** Pages as they should be, for any keys, prefixes, delimiters and markers. */
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { newId } from '@cumulet/testing/test-tokens';
import type { BucketId } from '../buckets/bucket.entity.js';
import { BucketRepository } from '../buckets/bucket.repository.js';
import { S3Database } from '../database/s3-database.fixture.js';
import { listed, randomOf, randomText, randomVersions, store } from './listing-model.fixture.js';
import type { ModelVersion } from './listing-model.fixture.js';
import type { ListingPage } from './listing-range.js';
import { ListingRepository, type ListingEntry } from './listing.repository.js';

const SEEDS = [1, 2, 3, 4];
const PAGES = 150;

let database: S3Database;
let ctx: RequestContext;
const listing = new ListingRepository();

beforeAll(async () => {
  database = await S3Database.create();
  ({ ctx } = database);
});
afterAll(() => database.destroy());

async function bucketOf(versions: readonly ModelVersion[]): Promise<BucketId> {
  const named = { projectId: asId(newId()), name: 'listed', region: 'us-east-1' } as const;
  const bucket = await new BucketRepository().create(ctx, named as never);
  if (!bucket) throw new Error('the bucket is there already');
  await store(ctx, bucket.id, versions);
  return bucket.id;
}

const shown = (entries: readonly ListingEntry[]): string[] =>
  entries.map(({ name, object }) => (object ? `${name} ${object.versionId}` : name));

const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join('');

function randomPage(random: (end: number) => number, versions: readonly ModelVersion[]) {
  const known = versions[random(versions.length)] ?? { key: '', versionId: '' };
  const after = [known.key, cut(known.key, 3), randomText(random, 4), ''][random(4)] ?? '';
  const page: ListingPage = {
    prefix: random(2) === 0 ? '' : cut(known.key, random(3)),
    delimiter: ['', '/', '/', 'a', '日', '//'][random(6)] ?? '',
    after,
    limit: 1 + random(12),
  };
  return { page, olderThan: random(2) === 0 && after !== '' ? known.versionId : undefined };
}

describe.each(SEEDS)('with random keys (seed %i)', (seed) => {
  const random = randomOf(seed);
  const versions = randomVersions(random, 120);
  const latest = versions.filter((one) => one.isLatest && !one.isDeleteMarker);
  let bucketId: BucketId;

  beforeAll(async () => {
    bucketId = await bucketOf(versions);
    await bucketOf(randomVersions(random, 20));
  });

  it('pages have the expected keys and common prefixes', async () => {
    for (let at = 0; at < PAGES; at++) {
      const { page } = randomPage(random, versions);
      const entries = shown(await listing.objects(ctx, bucketId, page));
      expect([page, entries]).toEqual([page, listed(latest, page)]);
    }
  });

  it('pages have the expected versions', async () => {
    for (let at = 0; at < PAGES; at++) {
      const { page, olderThan } = randomPage(random, versions);
      const entries = shown(await listing.versions(ctx, bucketId, page, olderThan));
      expect([page, olderThan, entries]).toEqual([
        page,
        olderThan,
        listed(versions, page, olderThan),
      ]);
    }
  });

  it.each(['', '/'])('pages return every key once, with delimiter %j', async (delimiter) => {
    const all = { prefix: '', delimiter, after: '', limit: 10_000 };
    const found: string[] = [];
    for (let after = '', olderThan: string | undefined; ;) {
      const page = { ...all, after, limit: 7 };
      const entries = await listing.versions(ctx, bucketId, page, olderThan);
      found.push(...shown(entries));
      const last = entries.at(-1);
      if (last === undefined) break;
      [after, olderThan] = [last.name, last.object?.versionId];
    }
    expect(found).toEqual(listed(versions, all));
  });
});

it('a page after a deleted version returns the remaining versions of its key', async () => {
  const version = { key: 'a', isLatest: false, isDeleteMarker: false };
  const bucketId = await bucketOf([
    { ...version, versionId: 'v1', sequence: 1 },
    { ...version, versionId: 'v2', sequence: 2 },
  ]);
  const page = { prefix: '', delimiter: '', after: 'a', limit: 10 };
  expect(shown(await listing.versions(ctx, bucketId, page, 'v3'))).toEqual(['a v2', 'a v1']);
  expect(shown(await listing.versions(ctx, bucketId, page, 'v2'))).toEqual(['a v1']);
  expect(shown(await listing.versions(ctx, bucketId, page))).toEqual([]);
});
