/**
 * The statements that list uploads: by one scan of an index, or with a delimiter by one step in it
 * for each upload and each common prefix. After a common prefix comes the first key behind all that
 * begin with it: 0xFF is in no key, since keys are UTF-8.
 */
import type { BucketId } from '../buckets/bucket.entity.js';
import type { ContentId } from '../objects/object.entity.js';
import type { Upload } from './upload.entity.js';

export interface UploadsAsked {
  readonly bucketId: BucketId;
  readonly prefix: string;
  readonly after: UploadMarker;
  /** Empty for none. */
  readonly delimiter: string;
  readonly limit: number;
}

/** A list goes on behind it. */
export interface UploadMarker {
  readonly key: Buffer;
  readonly id: ContentId;
}

/** A common prefix stands for all uploads whose keys begin with it; its other columns are one's. */
export type ListedUpload = Upload & { readonly commonPrefix?: Buffer | null };

const BEHIND = `bucket_id = $1 AND key >= $2 AND key < $2 || '\\xff'::bytea`;

/** $1 bucket, $2 prefix, $3 and $4 marker, $5 limit. */
export function LIST(columns: string): string {
  return `SELECT ${columns} FROM uploads
    WHERE ${BEHIND} AND (key, id) > ($3::bytea, $4::uuid) ORDER BY key, id LIMIT $5`;
}

/** The same with $6, a delimiter. */
export function LIST_GROUPED(columns: string): string {
  return `
    WITH RECURSIVE page AS (
      SELECT $3::bytea AS after_key, $4::uuid AS after_id, NULL::uuid AS id,
        NULL::bytea AS prefix, 0 AS place
      UNION ALL
      SELECT
        CASE WHEN cut.prefix IS NULL THEN next.key ELSE cut.prefix || '\\xff'::bytea END,
        next.id, next.id, cut.prefix, page.place + 1
      FROM page, LATERAL (
        SELECT key, id FROM uploads
         WHERE ${BEHIND} AND (key, id) > (page.after_key, page.after_id)
         ORDER BY key, id LIMIT 1
      ) AS next, LATERAL (
        SELECT position($6::bytea IN substring(next.key FROM length($2::bytea) + 1)) AS at
      ) AS found, LATERAL (
        SELECT CASE WHEN found.at > 0 THEN substring(
          next.key FROM 1 FOR length($2::bytea) + found.at - 1 + length($6::bytea)
        ) END AS prefix
      ) AS cut
      WHERE page.place < $5
    )
    SELECT ${columns}, page.prefix AS "commonPrefix"
      FROM page JOIN uploads USING (id) ORDER BY page.place`;
}
