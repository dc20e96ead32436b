/** Where the bytes of an object are: what reads need of its parts and of its row. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { ContentId, DataId } from '../objects/object.entity.js';
import type { Encryption } from './encryption/encryption.js';

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
export class ContentPartsRepository {
  /** The parts that have bytes between these positions, inclusive, in order. */
  list(ctx: RequestContext, id: ContentId, first: number, last: number): Promise<ContentPart[]> {
    return preparedRows<ContentPart>(
      ctx.manager,
      `${PARTS} WHERE start <= $3 AND start + size > $2 ORDER BY number`,
      [id, first, last],
    );
  }

  async find(ctx: RequestContext, id: ContentId, number: number): Promise<ContentPart | undefined> {
    const rows = await preparedRows<ContentPart>(ctx.manager, `${PARTS} WHERE number = $2`, [
      id,
      number,
    ]);
    return rows[0];
  }

  /** Bytes that are in the row of the object, or of its part. @returns undefined if it is gone */
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
