/**
 * Uploads under way, in Postgres.
 *
 * Always holds: whoever completes or aborts an upload has locked its row, and whoever stores a part
 * has locked it against that. So no part is stored of an upload that is none any more.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRow, shapeOf } from '@cumulet/common/database/rows';
import { Injectable } from '@nestjs/common';
import type { BucketId } from '../buckets/bucket.entity.js';
import type { ContentId } from '../content/received.js';
import { type UploadName, Upload } from './upload.entity.js';

const NAMED = 'WHERE id = $1 AND bucket_id = $2 AND key = $3';

@Injectable()
export class UploadRepository {
  /** @throws QueryFailedError for `uploads_bucket_id_fkey` if its bucket is gone */
  async create(ctx: RequestContext, upload: Upload): Promise<void> {
    const shape = shapeOf(ctx.manager, Upload);
    const properties = Object.keys(upload) as (keyof Upload)[];
    const columns = properties.map((property) => shape.columnOf(property));
    const values = properties.map((property) => shape.valueOf(property, upload[property]));
    await preparedRows(
      ctx.manager,
      `INSERT INTO uploads (${columns.join(', ')})
       VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
      values,
    );
  }

  find(ctx: RequestContext, name: UploadName): Promise<Upload | undefined> {
    return selectRow(ctx.manager, Upload, NAMED, paramsOf(name));
  }

  /** Locks the upload: nobody else changes it until the transaction ends. */
  findLocked(tx: RequestContext, name: UploadName): Promise<Upload | undefined> {
    return selectRow(tx.manager, Upload, `${NAMED} FOR UPDATE`, paramsOf(name));
  }

  /** Deletes it, and with it its parts unless an object has them. @returns whether there was one */
  async delete(ctx: RequestContext, name: UploadName): Promise<boolean> {
    const sql = `DELETE FROM uploads ${NAMED} RETURNING id`;
    return (await preparedRows(ctx.manager, sql, paramsOf(name))).length === 1;
  }

  list(ctx: RequestContext, asked: UploadsAsked): Promise<ListedUpload[]> {
    const { bucketId, prefix, after, delimiter, limit } = asked;
    const { columns } = shapeOf(ctx.manager, Upload);
    const params = [bucketId, Buffer.from(prefix), after.key, after.id, limit];
    return delimiter === ''
      ? preparedRows(ctx.manager, LIST(columns), params)
      : preparedRows(ctx.manager, LIST_GROUPED(columns), [...params, Buffer.from(delimiter)]);
  }
}

function paramsOf({ id, bucketId, key }: UploadName): unknown[] {
  return [id, bucketId, Buffer.from(key)];
}

export interface UploadsAsked {
  readonly bucketId: BucketId;
  readonly prefix: string;
  readonly after: UploadMarker;
  /** Empty for none. */
  readonly delimiter: string;
  readonly limit: number;
}

export interface UploadMarker {
  readonly key: Buffer;
  readonly id: ContentId;
}

/** A common prefix stands for all uploads whose keys begin with it; the other columns are those of one. */
export type ListedUpload = Upload & { readonly commonPrefix?: Buffer | null };

/**
 * The statements that list uploads: one scan of an index, or with a delimiter one step in it for
 * each upload and each common prefix. 0xFF, which UTF-8 does not contain, sorts after all keys with
 * a common prefix.
 */
const BEHIND = `bucket_id = $1 AND key >= $2 AND key < $2 || '\\xff'::bytea`;

/** $1 bucket, $2 prefix, $3 and $4 marker, $5 limit. */
function LIST(columns: string): string {
  return `SELECT ${columns} FROM uploads
    WHERE ${BEHIND} AND (key, id) > ($3::bytea, $4::uuid) ORDER BY key, id LIMIT $5`;
}

/** The same with $6, a delimiter. */
function LIST_GROUPED(columns: string): string {
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
