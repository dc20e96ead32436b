/** The expected contents of the store, and the position of the scrub. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { DataId } from '@cumulet/storage/stores/byte-store';
import type { Encryption } from '../content/encryption/encryption.js';
import type { BucketId } from '../buckets/bucket.entity.js';

export interface ScrubbedData {
  readonly dataId: DataId;
  readonly size: number;
  /** Their MD5 before they are encrypted, in hexadecimal. */
  readonly etag: string;
  readonly encryption: Encryption | null;
  /** Null for a part of an upload that is not complete. */
  readonly bucketId: BucketId | null;
  readonly key: Buffer | null;
  readonly versionId: string | null;
  /** Null for an object that was put as a whole. */
  readonly part: number | null;
}

const NIL = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class ScrubRepository {
  /**
   * The position in the current round, or the start of a round that is due.
   * @param seconds between the beginnings of two rounds
   * @returns undefined if none is due
   */
  async position(ctx: RequestContext, seconds: number): Promise<DataId | undefined> {
    const [row] = await preparedRows<{ id: DataId }>(
      ctx.manager,
      `UPDATE scrub_round
          SET last_id = COALESCE(last_id, '${NIL}'),
              began_at = CASE WHEN last_id IS NULL THEN now() ELSE began_at END
        WHERE last_id IS NOT NULL OR began_at <= now() - make_interval(secs => $1)
       RETURNING last_id AS id`,
      [seconds],
    );
    return row?.id;
  }

  /** @param id the last that was compared; null at the round's end */
  async save(ctx: RequestContext, id: DataId | null): Promise<void> {
    await preparedRows(ctx.manager, 'UPDATE scrub_round SET last_id = $1', [id]);
  }

  next(ctx: RequestContext, after: DataId, limit: number): Promise<ScrubbedData[]> {
    return preparedRows<ScrubbedData>(
      ctx.manager,
      `SELECT * FROM (
         (SELECT data_id AS "dataId", size::float8 AS size, etag, encryption,
                 bucket_id AS "bucketId", key, version_id AS "versionId", NULL::integer AS part
            FROM objects WHERE data_id > $1 ORDER BY data_id LIMIT $2)
         UNION ALL
         (SELECT parts.data_id, parts.size::float8, parts.etag, parts.encryption,
                 objects.bucket_id, objects.key, objects.version_id, parts.number
            FROM parts LEFT JOIN objects ON objects.content_id = parts.content_id
           WHERE parts.data_id > $1 ORDER BY parts.data_id LIMIT $2)
       ) AS stored ORDER BY "dataId" LIMIT $2`,
      [after, limit],
    );
  }

  async isKnown(ctx: RequestContext, id: DataId): Promise<boolean> {
    const [row] = await preparedRows<{ found: boolean }>(
      ctx.manager,
      `SELECT EXISTS (SELECT FROM objects WHERE data_id = $1)
           OR EXISTS (SELECT FROM parts WHERE data_id = $1) AS found`,
      [id],
    );
    return row?.found === true;
  }
}
