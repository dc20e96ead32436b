import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { AccessLogBatch } from './access-log-batch.entity.js';

export type NewLogBatch = Pick<AccessLogBatch, 'destination' | 'source' | 'lines'>;
export type Destination = Pick<AccessLogBatch, 'destination' | 'source'>;

/** Batches of a destination per query. */
const MAX_BATCHES = 1_000;

@Injectable()
export class AccessLogBatchRepository {
  async insert(ctx: RequestContext, batches: readonly NewLogBatch[]): Promise<void> {
    await preparedRows(
      ctx.manager,
      `INSERT INTO access_log_batches (destination, source, lines)
       SELECT one->>'destination', one->'source', one->>'lines'
         FROM jsonb_array_elements($1::jsonb) AS one`,
      [JSON.stringify(batches)],
    );
  }

  /** The next destination with lines. */
  async next(ctx: RequestContext, after: string): Promise<Destination | undefined> {
    const [row] = await preparedRows<Destination>(
      ctx.manager,
      `SELECT destination, source FROM access_log_batches
        WHERE destination > $1 ORDER BY destination, id LIMIT 1`,
      [after],
    );
    return row;
  }

  /** The oldest of a destination, at least one, up to so many bytes. */
  oldest(
    ctx: RequestContext,
    destination: string,
    bytes: number,
  ): Promise<Pick<AccessLogBatch, 'id' | 'lines'>[]> {
    return preparedRows(
      ctx.manager,
      `SELECT id, lines FROM (
         SELECT id, lines, sum(size) OVER (ORDER BY id) - size AS before FROM (
           SELECT id, lines, octet_length(lines) AS size FROM access_log_batches
            WHERE destination = $1 ORDER BY id LIMIT ${MAX_BATCHES}
         ) AS found
       ) AS summed
        WHERE before < $2 ORDER BY id`,
      [destination, bytes],
    );
  }

  /** @returns how many still existed: fewer if another process has delivered some */
  async delete(tx: RequestContext, ids: readonly string[]): Promise<number> {
    const rows = await preparedRows(
      tx.manager,
      'DELETE FROM access_log_batches WHERE id = ANY($1::bigint[]) RETURNING id',
      [ids],
    );
    return rows.length;
  }

  async deleteAll(ctx: RequestContext, destination: string): Promise<void> {
    await preparedRows(ctx.manager, 'DELETE FROM access_log_batches WHERE destination = $1', [
      destination,
    ]);
  }

  /** Deletes lines this old. @returns their number */
  async giveUp(ctx: RequestContext, seconds: number): Promise<number> {
    const rows = await preparedRows(
      ctx.manager,
      `DELETE FROM access_log_batches WHERE created_at < now() - make_interval(secs => $1)
       RETURNING id`,
      [seconds],
    );
    return rows.length;
  }
}
