/**
 * Versions of objects in Postgres.
 *
 * Always holds: of the versions of a key, that with the highest `sequence` is its latest, and no
 * other. So whoever could leave a key without a latest one, holds its lock: see `object-versions`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRow, shapeOf } from '@cumulet/common/database/rows';
import { Injectable } from '@nestjs/common';
import {
  hasSqlState,
  violatesForeignKey,
  violatesUnique,
} from '@cumulet/common/database/violations';
import type { BucketId } from '../buckets/bucket.entity.js';
import { NULL_VERSION, StoredObject } from './object.entity.js';
import type { ContentId } from '../content/received.js';
import { S3Error } from '../http/s3-error.js';

/** Columns that Postgres fills in. */
export type Given = Pick<StoredObject, 'sequence' | 'modifiedAt'>;

export interface VersionName {
  readonly bucketId: BucketId;
  readonly key: string;
  /** Undefined for the latest. */
  readonly versionId: string | undefined;
}

export type Deleted = Pick<StoredObject, 'isDeleteMarker' | 'etag' | 'sequence'>;

@Injectable()
export class ObjectRepository {
  /**
   * Stores a version as the latest of its key, in place of one with the same id: by one statement,
   * which needs no transaction.
   * @returns undefined if a lock keeps the one with the same id
   * @throws QueryFailedError for `objects_latest` or `objects_pkey` if somebody else was quicker
   */
  publish(ctx: RequestContext, version: NewVersion): Promise<Given | undefined> {
    return this.#store(ctx, version, PUBLISH);
  }

  /**
   * The same where no version of the key may exist yet, not even a marker.
   * @throws QueryFailedError for `objects_latest` or `objects_pkey` if one does
   */
  async insert(ctx: RequestContext, version: NewVersion): Promise<Given> {
    const given = await this.#store(ctx, version, INSERT);
    if (!given) throw new Error('an insert returned no row');
    return given;
  }

  find(ctx: RequestContext, name: VersionName): Promise<StoredObject | undefined> {
    return this.#find(ctx, name, '');
  }

  findByContent(ctx: RequestContext, contentId: ContentId): Promise<StoredObject | undefined> {
    return selectRow(ctx.manager, StoredObject, 'WHERE content_id = $1', [contentId]);
  }

  /** Locks the version: nobody else changes it until the transaction ends. */
  findLocked(ctx: RequestContext, name: VersionName): Promise<StoredObject | undefined> {
    return this.#find(ctx, name, 'FOR UPDATE');
  }

  /**
   * Deletes a version, whether or not it is locked; if it was the latest, the one before it is.
   * @returns undefined if there is none
   */
  async delete(
    ctx: RequestContext,
    { bucketId, key, versionId }: VersionName & { readonly versionId: string },
  ): Promise<Deleted | undefined> {
    const params = [bucketId, Buffer.from(key), versionId];
    return (await preparedRows<Deleted>(ctx.manager, DELETE, params))[0];
  }

  /** Deletes null versions, unless their keys have others, or they are locked. */
  async deleteAll(ctx: RequestContext, bucketId: BucketId, keys: readonly string[]): Promise<void> {
    const params = [bucketId, keys.map((key) => Buffer.from(key))];
    await preparedRows(ctx.manager, DELETE_ALL, params);
  }

  /** @returns whether the version is still there, with the same bytes */
  async update(
    ctx: RequestContext,
    { bucketId, key, versionId, contentId }: StoredObject,
    changed: Partial<NewVersion>,
  ): Promise<boolean> {
    const shape = shapeOf(ctx.manager, StoredObject);
    const properties = Object.keys(changed) as (keyof NewVersion)[];
    const set = properties.map((one, at) => `${shape.columnOf(one)} = $${at + 5}::${TYPES[one]}`);
    const values = properties.map((one) => shape.valueOf(one, changed[one]));
    const rows = await preparedRows(
      ctx.manager,
      `UPDATE objects SET ${set.join(', ')}
        WHERE bucket_id = $1 AND key = $2 AND version_id = $3 AND content_id = $4 RETURNING 1`,
      [bucketId, key, versionId, contentId, ...values],
    );
    return rows.length === 1;
  }

  #find(
    ctx: RequestContext,
    { bucketId, key, versionId }: VersionName,
    mode: '' | 'FOR UPDATE',
  ): Promise<StoredObject | undefined> {
    const params = [bucketId, Buffer.from(key), ...(versionId === undefined ? [] : [versionId])];
    const version = versionId === undefined ? 'is_latest' : 'version_id = $3';
    const where = `WHERE bucket_id = $1 AND key = $2 AND ${version} ${mode}`;
    return selectRow(ctx.manager, StoredObject, where, params);
  }

  async #store(
    ctx: RequestContext,
    version: NewVersion,
    statement: (columns: readonly string[]) => string,
  ): Promise<Given | undefined> {
    const shape = shapeOf(ctx.manager, StoredObject);
    const sql = statement(PROPERTIES.map((property) => shape.columnOf(property)));
    const params = PROPERTIES.map((property) => shape.valueOf(property, version[property]));
    const [given] = await preparedRows<Given>(ctx.manager, sql, params);
    return given;
  }
}

/** A version to be stored, which becomes the latest of its key. */
export type NewVersion = Omit<StoredObject, 'sequence' | 'isLatest' | 'modifiedAt'>;

const UNLOCKED =
  'NOT objects.legal_hold AND (objects.retain_until IS NULL OR objects.retain_until <= now())';

/** The columns of a version with their types, in the order of parameters. */
const TYPES = {
  bucketId: 'uuid',
  key: 'bytea',
  versionId: 'text',
  isDeleteMarker: 'boolean',
  ownerId: 'text',
  contentId: 'uuid',
  size: 'bigint',
  etag: 'text',
  dataId: 'uuid',
  inline: 'bytea',
  partCount: 'integer',
  checksum: 'jsonb',
  encryption: 'jsonb',
  headers: 'jsonb',
  metadata: 'jsonb',
  tags: 'jsonb',
  acl: 'jsonb',
  storageClass: 'text',
  retentionMode: 'text',
  retainUntil: 'timestamptz',
  legalHold: 'boolean',
  legalHoldTold: 'boolean',
} as const satisfies Readonly<Record<keyof NewVersion, string>>;

const PROPERTIES = Object.keys(TYPES) as (keyof NewVersion)[];
const IDENTITY = ['bucketId', 'key', 'versionId'];

function into(columns: readonly string[]): [list: string, values: string] {
  const values = PROPERTIES.map((property, at) => `$${at + 1}::${TYPES[property]}`);
  return [`${columns.join(', ')}, is_latest`, `${values.join(', ')}, true`];
}

const GIVEN = 'RETURNING objects.sequence, objects.modified_at AS "modifiedAt"';

function INSERT(columns: readonly string[]): string {
  const [list, values] = into(columns);
  return `INSERT INTO objects (${list}) VALUES (${values}) ${GIVEN}`;
}

/**
 * The same, in place of one with its id. The former latest one is counted so that it is none before
 * the new one is stored.
 */
function PUBLISH(columns: readonly string[]): string {
  const [list, values] = into(columns);
  const changed = columns
    .filter((_, at) => !IDENTITY.includes(PROPERTIES[at] ?? ''))
    .map((column) => `${column} = excluded.${column}`);
  return `
    WITH former AS (
      UPDATE objects SET is_latest = false
       WHERE bucket_id = $1 AND key = $2 AND is_latest AND version_id <> $3
      RETURNING 1
    )
    INSERT INTO objects (${list}) SELECT ${values} FROM (SELECT count(*) FROM former) AS made
    ON CONFLICT ON CONSTRAINT objects_pkey DO UPDATE
      SET ${changed.join(', ')}, is_latest = true, modified_at = excluded.modified_at,
        sequence = DEFAULT
      WHERE ${UNLOCKED}
    ${GIVEN}`;
}

/** Parameters: bucket, key, version. The version before becomes the latest. */
const DELETE = `
  WITH gone AS (
    DELETE FROM objects
     WHERE bucket_id = $1 AND key = $2 AND version_id = $3
    RETURNING is_latest, is_delete_marker AS "isDeleteMarker", etag, sequence
  ), next AS (
    SELECT version_id FROM objects
     WHERE bucket_id = $1 AND key = $2 AND version_id <> $3 AND (SELECT is_latest FROM gone)
     ORDER BY sequence DESC LIMIT 1
  ), promoted AS (
    UPDATE objects SET is_latest = true FROM next
     WHERE objects.bucket_id = $1 AND objects.key = $2 AND objects.version_id = next.version_id
  )
  SELECT "isDeleteMarker", etag, sequence FROM gone`;

/** Locks in the order of keys, which avoids deadlocks. */
const DELETE_ALL = `
  WITH found AS (
    SELECT key FROM objects
     WHERE bucket_id = $1 AND key = ANY ($2::bytea[]) AND version_id = '${NULL_VERSION}'
       AND is_latest AND ${UNLOCKED}
     ORDER BY key FOR UPDATE
  )
  DELETE FROM objects USING found
   WHERE objects.bucket_id = $1 AND objects.key = found.key
     AND objects.version_id = '${NULL_VERSION}'`;

const MAX_ATTEMPTS = 16;
const DEADLOCK = '40P01';
const LATEST = ['objects_latest', 'objects_pkey'];

/**
 * Within an open transaction it tries once, because the transaction fails with the statement; the
 * opener of the transaction repeats it as a whole.
 * @param work receives the number of the attempt, from 1
 */
export async function repeated<T>(
  ctx: RequestContext,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  const isLost = isInTransaction(ctx);
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (violatesForeignKey(error, 'objects_bucket_id_fkey'))
        throw new S3Error('NoSuchBucket', { cause: error });
      if (isLost || !isCollision(error)) throw error;
      if (attempt === MAX_ATTEMPTS) throw new S3Error('SlowDown', { cause: error });
    }
  }
}

export function isInTransaction(ctx: RequestContext): boolean {
  return ctx.manager.queryRunner?.isTransactionActive ?? false;
}

function isCollision(error: unknown): boolean {
  return LATEST.some((name) => violatesUnique(error, name)) || hasSqlState(error, DEADLOCK);
}
