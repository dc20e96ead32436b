/**
 * Versions and uploads that lifecycle rules are due for, in pages by the indexes of lists, in the
 * order of keys.
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRows } from '@cumulet/common/database/rows';
import { Bucket, type BucketId } from '../buckets/bucket.entity.js';
import type { ContentId } from '../content/received.js';
import type { LifecycleFilter } from '../buckets/lifecycle-rules.js';

/** A page of versions. */
export interface Page {
  readonly bucketId: BucketId;
  readonly filter: LifecycleFilter;
  /** Versions this old are due. */
  readonly before: Date;
  /** Keys after this one; with `afterVersion`, also older versions of it. */
  readonly after: Buffer;
  readonly limit: number;
}

export interface DueVersion {
  readonly key: Buffer;
  readonly versionId: string;
  readonly modifiedAt: Date;
}

/** Parameters: bucket, keys, age, tags and sizes. */
const FILTERED = `bucket_id = $1 AND key > $2 AND key >= $3 AND key < $4`;
const MATCHING = `tags @> $6::jsonb AND size > $7 AND size < $8`;
const COLUMNS = 'key, version_id AS "versionId", modified_at AS "modifiedAt"';

@Injectable()
export class LifecycleRepository {
  /** Buckets whose current rules have not been applied up to then. */
  dueBuckets(ctx: RequestContext, until: Date, limit: number): Promise<Bucket[]> {
    return selectRows(
      ctx.manager,
      Bucket,
      `WHERE configurations ? 'lifecycle' AND NOT EXISTS (
         SELECT FROM lifecycle_runs AS run
          WHERE run.bucket_id = buckets.id AND run.until >= $1
            AND run.rules = md5(configurations->>'lifecycle'))
       ORDER BY random() LIMIT $2`,
      [until, limit],
    );
  }

  /** Records that the rules of a bucket, as they were read, have been applied. */
  async finish(ctx: RequestContext, { id, configurations }: Bucket, until: Date): Promise<void> {
    await preparedRows(
      ctx.manager,
      `INSERT INTO lifecycle_runs (bucket_id, rules, until)
       SELECT id, md5($2::jsonb::text), $3 FROM buckets WHERE id = $1
       ON CONFLICT ON CONSTRAINT lifecycle_runs_pkey DO UPDATE
         SET rules = excluded.rules, until = excluded.until`,
      [id, JSON.stringify(configurations.lifecycle), until],
    );
  }

  currentVersions(ctx: RequestContext, page: Page): Promise<DueVersion[]> {
    return preparedRows(
      ctx.manager,
      `SELECT ${COLUMNS} FROM objects
        WHERE ${FILTERED} AND is_latest AND NOT is_delete_marker AND modified_at <= $5
          AND ${MATCHING}
        ORDER BY key LIMIT $9`,
      parametersOf(page),
    );
  }

  /** Delete markers that are the only version left of their key. */
  loneMarkers(ctx: RequestContext, page: Page): Promise<DueVersion[]> {
    return preparedRows(
      ctx.manager,
      `SELECT ${COLUMNS} FROM objects
        WHERE ${FILTERED} AND is_latest AND is_delete_marker AND modified_at <= $5
          AND ${MATCHING}
          AND NOT EXISTS (
            SELECT FROM objects AS other
             WHERE other.bucket_id = $1 AND other.key = objects.key
               AND other.version_id <> objects.version_id)
        ORDER BY key LIMIT $9`,
      parametersOf(page),
    );
  }

  /**
   * Versions that have been replaced so long ago, without those that a lock keeps: all that are due
   * of as many keys.
   * @param kept how many of the newest of these stay, whatever their age
   */
  noncurrentVersions(ctx: RequestContext, page: Page, kept: number): Promise<DueVersion[]> {
    return preparedRows(
      ctx.manager,
      `WITH aged AS (
         SELECT key, version_id, modified_at, size, tags, legal_hold, retain_until,
                row_number() OVER newest AS rank, lag(modified_at) OVER newest AS since
           FROM objects WHERE ${FILTERED}
         WINDOW newest AS (PARTITION BY key ORDER BY sequence DESC)
       )
       SELECT ${COLUMNS} FROM aged
        WHERE rank > $10 + 1 AND since <= $5 AND ${MATCHING}
          AND NOT legal_hold AND (retain_until IS NULL OR retain_until <= now())
        ORDER BY key FETCH FIRST $9 ROWS WITH TIES`,
      [...parametersOf(page), kept],
    );
  }

  dueUploads(
    ctx: RequestContext,
    page: Page,
  ): Promise<{ readonly id: ContentId; readonly key: Buffer }[]> {
    return preparedRows(
      ctx.manager,
      `SELECT id, key FROM uploads
        WHERE bucket_id = $1 AND key >= $2 AND key < $3 AND initiated_at <= $4
        ORDER BY key, initiated_at, id LIMIT $5`,
      [page.bucketId, ...rangeOf(page.filter), page.before, page.limit],
    );
  }
}

function parametersOf({ bucketId, filter, before, after, limit }: Page): unknown[] {
  const { tags = {}, sizeAbove = -1, sizeBelow = Number.MAX_SAFE_INTEGER } = filter;
  const sizes = [sizeAbove, sizeBelow];
  return [bucketId, after, ...rangeOf(filter), before, JSON.stringify(tags), ...sizes, limit];
}

/** All keys with the prefix: no byte of UTF-8 is 0xFF. */
function rangeOf({ prefix = '' }: LifecycleFilter): [from: Buffer, to: Buffer] {
  const from = Buffer.from(prefix);
  return [from, Buffer.concat([from, Buffer.from([0xff])])];
}
