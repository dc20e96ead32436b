import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { DataSource } from 'typeorm';
import { Bucket, type Versioning } from '../buckets/bucket.entity.js';
import { BucketRepository } from '../buckets/bucket.repository.js';
import { S3Database } from '../database/s3-database.fixture.js';
import { BucketEventRepository } from '../notifications/bucket-event.repository.js';
import { BucketEvents } from '../notifications/bucket-events.js';
import { NULL_VERSION, type StoredObject } from './object.entity.js';
import { ObjectRepository } from './object.repository.js';
import { NO_PROPERTIES, type NewObject } from './version-id.js';
import { ObjectVersions, type Removed } from './object-versions.js';
import { UNCONDITIONAL, type WriteConditions } from './conditions.js';

const versions = new ObjectVersions(
  new ObjectRepository(),
  new BucketEvents(new BucketEventRepository()),
);
const buckets = new BucketRepository();

let database: S3Database;
let dataSource: DataSource;
let ctx: RequestContext;

beforeAll(async () => {
  database = await S3Database.create();
  ({ ctx, dataSource } = database);
});
afterAll(() => database.destroy());

async function newBucket(versioning: Versioning = 'off'): Promise<Bucket> {
  const name = `b-${randomUUID()}`;
  const bucket = await buckets.create(ctx, { projectId: asId('p'), name, region: 'r' });
  if (!bucket) throw new Error('the bucket is there already');
  return switched(bucket, versioning);
}

async function switched(bucket: Bucket, versioning: Versioning): Promise<Bucket> {
  if (versioning !== 'off') await buckets.setVersioning(ctx, bucket, versioning);
  return Object.assign(new Bucket(), bucket, { versioning });
}

function objectOf(text: string, more: Partial<NewObject> = {}): NewObject {
  const inline = Buffer.from(text);
  return {
    ...NO_PROPERTIES,
    key: 'k',
    ownerId: 'p',
    content: {
      contentId: asId(randomUUID()),
      size: inline.length,
      etag: text,
      dataId: null,
      inline,
      partCount: null,
      checksum: null,
      encryption: null,
    },
    ...more,
  };
}

function put(
  bucket: Bucket,
  text: string,
  conditions: WriteConditions = UNCONDITIONAL,
  more: Partial<NewObject> = {},
): Promise<StoredObject> {
  return versions.publish(ctx, bucket, objectOf(text, more), conditions);
}

function remove(
  bucket: Bucket,
  versionId?: string,
  conditions: WriteConditions = UNCONDITIONAL,
  bypassGovernance = false,
): Promise<Removed> {
  return versions.remove(ctx, bucket, 'k', versionId, { conditions, bypassGovernance });
}

/** `*b a null:c -`: newest first, the latest with a star, a marker as a dash. */
async function history({ id }: Bucket): Promise<string> {
  const rows: { text: string }[] = await dataSource.query(
    `SELECT concat(CASE WHEN is_latest THEN '*' END, CASE version_id WHEN 'null' THEN 'null:' END,
       CASE WHEN is_delete_marker THEN '-' ELSE convert_from(inline, 'UTF8') END) AS text
     FROM objects WHERE bucket_id = $1 ORDER BY key, sequence DESC`,
    [id],
  );
  return rows.map(({ text }) => text).join(' ');
}

describe('an unversioned bucket', () => {
  it('keeps the last object of a key', async () => {
    const bucket = await newBucket();
    await put(bucket, 'a');
    const stored = await put(bucket, 'b');
    expect([stored.versionId, stored.isLatest]).toEqual([NULL_VERSION, true]);
    expect(await history(bucket)).toBe('*null:b');
  });

  it('removes a deleted object', async () => {
    const bucket = await newBucket();
    await put(bucket, 'a');
    expect(await remove(bucket)).toEqual({ deleteMarker: false, versionId: undefined });
    expect(await history(bucket)).toBe('');
    expect(await remove(bucket)).toEqual({ deleteMarker: false, versionId: undefined });
  });

  it('keeps one of many concurrent objects, and the data of the others becomes loose', async () => {
    const bucket = await newBucket();
    const dataIds = Array.from({ length: 30 }, () => asId<never>(randomUUID()));
    await Promise.all(
      dataIds.map((dataId, at) => {
        const object = objectOf(String(at));
        const content = { ...object.content, inline: null, dataId };
        return versions.publish(ctx, bucket, { ...object, content }, UNCONDITIONAL);
      }),
    );
    const left: { id: string }[] = await dataSource.query(
      `SELECT data_id AS id FROM objects WHERE bucket_id = $1
       UNION ALL SELECT data_id FROM loose_data WHERE data_id = ANY($2)`,
      [bucket.id, dataIds],
    );
    expect(left.map(({ id }) => id).sort()).toEqual([...dataIds].sort());
    const latest: unknown[] = await dataSource.query('SELECT FROM objects WHERE bucket_id = $1', [
      bucket.id,
    ]);
    expect(latest).toHaveLength(1);
  });
});

it('removes many objects at once, and no others', async () => {
  const bucket = await newBucket();
  for (const key of ['a', 'b', 'c']) await put(bucket, key, UNCONDITIONAL, { key });
  const two = [
    versions.removeAll(ctx, bucket, ['b', 'a', 'x']),
    versions.removeAll(ctx, bucket, ['a', 'b']),
  ];
  await Promise.all(two);
  expect(await history(bucket)).toBe('*null:c');
});

describe('a versioned bucket', () => {
  it('keeps all versions, and a marker for a deletion', async () => {
    const bucket = await newBucket('enabled');
    await put(bucket, 'a');
    await put(bucket, 'b');
    const removed = await remove(bucket);
    expect(removed).toEqual({
      deleteMarker: true,
      versionId: expect.stringMatching(/^[\w-]{32}$/),
    });
    expect(await history(bucket)).toBe('*- b a');
  });

  it('shows the previous version when one is removed', async () => {
    const bucket = await newBucket('enabled');
    const { versionId: a } = await put(bucket, 'a');
    await put(bucket, 'b');
    const { versionId: c } = await put(bucket, 'c');
    expect(await remove(bucket, c)).toEqual({ deleteMarker: false, versionId: c });
    expect(await history(bucket)).toBe('*b a');
    await remove(bucket, a);
    expect(await history(bucket)).toBe('*b');
    const { versionId: marker } = await remove(bucket);
    expect(await remove(bucket, marker)).toEqual({ deleteMarker: true, versionId: marker });
    expect(await history(bucket)).toBe('*b');
  });

  it('keeps each of many concurrent versions, one of them as latest', async () => {
    const bucket = await newBucket('enabled');
    const texts = Array.from({ length: 40 }, (_, at) => String(at));
    await Promise.all(texts.map((text) => put(bucket, text)));
    const all = (await history(bucket)).split(' ');
    expect(all[0]).toMatch(/^\*/);
    expect(all.map((text) => text.replace('*', '')).sort()).toEqual([...texts].sort());
    expect(all.filter((text) => text.startsWith('*'))).toHaveLength(1);
  });

  it('always has a latest version while versions are added and removed', async () => {
    const bucket = await newBucket('enabled');
    for (let round = 0; round < 5; round++) {
      const stored = await Promise.all(['a', 'b', 'c', 'd'].map((text) => put(bucket, text)));
      await Promise.all([
        ...stored.slice(1).map(({ versionId }) => remove(bucket, versionId)),
        put(bucket, 'e'),
        remove(bucket),
      ]);
      const all = (await history(bucket)).split(' ');
      expect(all.map((text) => text.startsWith('*'))).toEqual(all.map((_, at) => at === 0));
    }
  });
});

describe('a bucket with suspended versioning', () => {
  it('replaces only its null version', async () => {
    const first = await newBucket('enabled');
    await put(first, 'a');
    const bucket = await switched(first, 'suspended');
    await put(bucket, 'b');
    await put(bucket, 'c');
    expect(await history(bucket)).toBe('*null:c a');
    expect(await remove(bucket)).toEqual({ deleteMarker: true, versionId: NULL_VERSION });
    expect(await history(bucket)).toBe('*null:- a');
    await put(bucket, 'd');
    expect(await history(bucket)).toBe('*null:d a');
    await remove(bucket, NULL_VERSION);
    expect(await history(bucket)).toBe('*a');
  });

  it('makes a former null version the latest again when it is replaced', async () => {
    const plain = await newBucket();
    await put(plain, 'a');
    const kept = await switched(plain, 'enabled');
    await put(kept, 'b');
    expect(await history(kept)).toBe('*b null:a');
    await put(await switched(plain, 'suspended'), 'c');
    expect(await history(kept)).toBe('*null:c b');
  });
});

describe('a condition', () => {
  const NONE = { ifNoneMatch: '*' };

  it.each(['off', 'enabled'] as const)(
    'lets one of many writers create an object: %s',
    async (mode) => {
      const bucket = await newBucket(mode);
      const attempts = Array.from({ length: 20 }, (_, at) => put(bucket, String(at), NONE));
      const outcomes = await Promise.allSettled(attempts);
      const stored = outcomes.filter(({ status }) => status === 'fulfilled');
      const reasons = outcomes.flatMap((one) =>
        one.status === 'rejected' ? [(one.reason as { code: string }).code] : [],
      );
      expect(stored).toHaveLength(1);
      expect(new Set(reasons)).toEqual(new Set(['PreconditionFailed']));
      expect((await history(bucket)).split(' ')).toHaveLength(1);
    },
  );

  it('on absence fails if an unconditional write comes first', async () => {
    for (let round = 0; round < 10; round++) {
      const bucket = await newBucket('enabled');
      const [created] = await Promise.allSettled([put(bucket, 'first', NONE), put(bucket, 'b')]);
      const all = await history(bucket);
      expect(all).toBe(created.status === 'fulfilled' ? '*b first' : '*b');
    }
  });

  it('lets one of many writers replace what they have read', async () => {
    const bucket = await newBucket();
    await put(bucket, 'a');
    const outcomes = await Promise.allSettled(
      ['b', 'c', 'd', 'e'].map((text) => put(bucket, text, { ifMatch: '"a"' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('on a missing object removes nothing', async () => {
    const bucket = await newBucket('enabled');
    expect(await remove(bucket, undefined, { ifMatch: 'a' })).toEqual({
      deleteMarker: false,
      versionId: undefined,
    });
    expect(await history(bucket)).toBe('');
  });

  it('that fails keeps the object', async () => {
    const bucket = await newBucket();
    await put(bucket, 'a');
    await expect(remove(bucket, undefined, { ifMatch: 'b' })).rejects.toMatchObject({
      code: 'PreconditionFailed',
    });
    expect(await history(bucket)).toBe('*null:a');
  });
});

describe('a lock', () => {
  const retainUntil = new Date(Date.now() + 3_600_000);
  const denied = { code: 'AccessDenied' };

  it.each([
    ['a legal hold', { legalHold: true }, true],
    ['compliance', { retentionMode: 'COMPLIANCE', retainUntil }, true],
    ['governance', { retentionMode: 'GOVERNANCE', retainUntil }, false],
  ] as const)('by %s protects its version', async (_, lock, bypass) => {
    const bucket = Object.assign(await newBucket('enabled'), { objectLock: true });
    const { versionId } = await put(bucket, 'a', UNCONDITIONAL, lock);
    await expect(remove(bucket, versionId, {}, bypass)).rejects.toMatchObject(denied);
    expect(await history(bucket)).toBe('*a');
  });

  it('in governance mode yields to those who may bypass it', async () => {
    const bucket = await newBucket('enabled');
    const lock = { retentionMode: 'GOVERNANCE', retainUntil } as const;
    const { versionId } = await put(bucket, 'a', UNCONDITIONAL, lock);
    await remove(bucket, versionId, UNCONDITIONAL, true);
    expect(await history(bucket)).toBe('');
  });

  it('protects a null version from being replaced', async () => {
    const bucket = await newBucket('suspended');
    await put(bucket, 'a', UNCONDITIONAL, { legalHold: true });
    await expect(put(bucket, 'b')).rejects.toMatchObject(denied);
    await expect(remove(bucket)).rejects.toMatchObject(denied);
    expect(await history(bucket)).toBe('*null:a');
  });
});

describe('a configured webhook', () => {
  const events = ['s3:ObjectCreated:*', 's3:ObjectRemoved:*'];
  const names = async ({ name }: Bucket): Promise<string[]> => {
    const rows: { name: string }[] = await dataSource.query(
      `SELECT record->>'eventName' AS name FROM bucket_events
        WHERE record #>> '{s3,bucket,name}' = $1 ORDER BY id`,
      [name],
    );
    return rows.map(({ name: one }) => one);
  };
  const told = async (versioning: Versioning): Promise<Bucket> => {
    const arn = 'arn:aws:sns:::https://example.com/';
    const rule = { id: 'all', kind: 'topic', arn, events } as const;
    return Object.assign(await newBucket(versioning), { configurations: { notification: [rule] } });
  };

  it('is notified of writes and removals, but not of failed ones', async () => {
    const bucket = await told('enabled');
    const { versionId } = await put(bucket, 'a');
    await put(bucket, 'b', UNCONDITIONAL, { createdBy: 'Copy' });
    await expect(put(bucket, 'c', { ifNoneMatch: '*' })).rejects.toThrow();
    await remove(bucket);
    await remove(bucket, versionId);
    await remove(bucket, versionId);
    expect(await names(bucket)).toEqual([
      'ObjectCreated:Put',
      'ObjectCreated:Copy',
      'ObjectRemoved:DeleteMarkerCreated',
      'ObjectRemoved:Delete',
    ]);
  });
});

it('a write to a deleted bucket fails', async () => {
  const bucket = await newBucket();
  await inTransaction(ctx, (tx) => buckets.delete(tx, bucket));
  await expect(put(bucket, 'a')).rejects.toMatchObject({ code: 'NoSuchBucket' });
});
