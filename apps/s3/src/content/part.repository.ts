/** The parts of uploads and of the objects that they became, in Postgres. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRows, shapeOf } from '@cumulet/common/database/rows';
import type { ByteRange, DataId } from '@cumulet/storage/stores/byte-store';
import { Injectable } from '@nestjs/common';
import type { Encryption } from './encryption/encryption.js';
import { Part } from './part.entity.js';
import type { ContentId } from './received.js';

export type NewPart = Omit<Part, 'modifiedAt' | 'size'> & { readonly size: number };

export interface ContentPart {
  readonly number: number;
  /** Position of its first byte in the object. */
  readonly start: number;
  readonly size: number;
  readonly dataId: DataId | null;
  readonly encryption: Encryption | null;
}

const PARTS = `
  SELECT number, start, size, data_id AS "dataId", encryption FROM (
    SELECT number, size::float8 AS size, data_id, encryption,
        (sum(size) OVER (ORDER BY number) - size)::float8 AS start
      FROM parts WHERE content_id = $1
  ) AS placed`;

@Injectable()
export class PartRepository {
  /**
   * Stores a part in place of one with its number. What that had in the store is loose then.
   * @returns when; undefined if there is no such upload any more
   */
  async put(tx: RequestContext, part: NewPart): Promise<Date | undefined> {
    const shape = shapeOf(tx.manager, Part);
    const [stored] = await preparedRows<Pick<Part, 'modifiedAt'>>(
      tx.manager,
      `WITH upload AS (SELECT id FROM uploads WHERE id = $1 FOR KEY SHARE)
       INSERT INTO parts (content_id, number, size, etag, checksum, crc64, encryption, data_id, inline)
       SELECT id, $2::integer, $3::bigint, $4::text, $5::jsonb, $6::text, $7::jsonb, $8::uuid, $9::bytea
         FROM upload
       ON CONFLICT ON CONSTRAINT parts_pkey DO UPDATE
         SET size = excluded.size, etag = excluded.etag, checksum = excluded.checksum,
           crc64 = excluded.crc64, encryption = excluded.encryption, data_id = excluded.data_id,
           inline = excluded.inline, modified_at = excluded.modified_at
       RETURNING modified_at AS "modifiedAt"`,
      [
        part.contentId,
        part.number,
        part.size,
        part.etag,
        shape.valueOf('checksum', part.checksum),
        part.crc64,
        shape.valueOf('encryption', part.encryption),
        part.dataId,
        part.inline,
      ],
    );
    return stored?.modifiedAt;
  }

  /** By number. @param after only parts with higher numbers */
  list(ctx: RequestContext, contentId: ContentId, after: number, limit: number): Promise<Part[]> {
    const where = 'WHERE content_id = $1 AND number > $2 ORDER BY number LIMIT $3';
    return selectRows(ctx.manager, Part, where, [contentId, after, limit]);
  }

  all(ctx: RequestContext, contentId: ContentId): Promise<Part[]> {
    return selectRows(ctx.manager, Part, 'WHERE content_id = $1 ORDER BY number', [contentId]);
  }

  async sizeOf(ctx: RequestContext, contentId: ContentId): Promise<number> {
    const [sum] = await preparedRows<{ readonly bytes: number }>(
      ctx.manager,
      'SELECT COALESCE(sum(size), 0)::float8 AS bytes FROM parts WHERE content_id = $1',
      [contentId],
    );
    return sum?.bytes ?? 0;
  }

  async delete(
    tx: RequestContext,
    contentId: ContentId,
    numbers: readonly number[],
  ): Promise<void> {
    if (numbers.length === 0) return;
    await preparedRows(
      tx.manager,
      'DELETE FROM parts WHERE content_id = $1 AND number = ANY ($2::integer[])',
      [contentId, numbers],
    );
  }

  /** The parts that have bytes between these positions of the object, inclusive, in order. */
  placed(ctx: RequestContext, id: ContentId, first: number, last: number): Promise<ContentPart[]> {
    return preparedRows<ContentPart>(
      ctx.manager,
      `${PARTS} WHERE start <= $3 AND start + size > $2 ORDER BY number`,
      [id, first, last],
    );
  }

  /** @returns undefined if there is no such part */
  async rangeOf(
    ctx: RequestContext,
    id: ContentId,
    number: number,
  ): Promise<ByteRange | undefined> {
    const sql = `${PARTS} WHERE number = $2`;
    const [part] = await preparedRows<ContentPart>(ctx.manager, sql, [id, number]);
    return part && { first: part.start, last: part.start + part.size - 1 };
  }

  /** @returns the bytes in the row of the object or the part; undefined if it is gone */
  async inlineOf(
    ctx: RequestContext,
    id: ContentId,
    part: number | undefined,
  ): Promise<Buffer | undefined> {
    const [from, params] =
      part === undefined
        ? ['objects WHERE content_id = $1', [id]]
        : ['parts WHERE content_id = $1 AND number = $2', [id, part]];
    const [row] = await preparedRows<{ inline: Buffer | null }>(
      ctx.manager,
      `SELECT inline FROM ${from}`,
      params,
    );
    return row?.inline ?? undefined;
  }
}
