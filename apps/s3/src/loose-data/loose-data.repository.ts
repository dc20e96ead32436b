/** Data in the store that no object refers to. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { DataId } from '@cumulet/storage/stores/byte-store';

export interface DueOptions {
  /** Seconds after which data that could not be removed is returned again. */
  readonly pauseSeconds: number;
  readonly limit: number;
}

@Injectable()
export class LooseDataRepository {
  /** Before the first byte is written. @param seconds until they may be removed */
  async insert(ctx: RequestContext, dataId: DataId, seconds: number): Promise<void> {
    await preparedRows(
      ctx.manager,
      `INSERT INTO loose_data (data_id, until) VALUES ($1, now() + make_interval(secs => $2))`,
      [dataId, seconds],
    );
  }

  /** Postpones the removal; 0 seconds has it removed by the next sweep. */
  async prolong(ctx: RequestContext, dataId: DataId, seconds: number): Promise<void> {
    await preparedRows(
      ctx.manager,
      `UPDATE loose_data SET until = now() + make_interval(secs => $2) WHERE data_id = $1`,
      [dataId, seconds],
    );
  }

  /**
   * Takes the data out, in the transaction in which an object or a part gets it.
   * @returns whether they were still there
   */
  async take(tx: RequestContext, dataId: DataId): Promise<boolean> {
    const taken = await preparedRows(
      tx.manager,
      `DELETE FROM loose_data WHERE data_id = $1 AND NOT is_going RETURNING data_id`,
      [dataId],
    );
    return taken.length === 1;
  }

  /**
   * Claims data whose lease has ended, the oldest first; it can no longer become part of an object.
   * Times are compared with their column's rounding.
   */
  async takeDue(ctx: RequestContext, options: DueOptions): Promise<DataId[]> {
    const rows = await preparedRows<{ id: DataId }>(
      ctx.manager,
      `UPDATE loose_data SET is_going = true, until = now() + make_interval(secs => $1)
        WHERE data_id IN (
          SELECT data_id FROM loose_data
           WHERE until <= now()::timestamptz(3)
           ORDER BY until LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING data_id AS id`,
      [options.pauseSeconds, options.limit],
    );
    return rows.map(({ id }) => id);
  }

  async delete(ctx: RequestContext, ids: readonly DataId[]): Promise<void> {
    await preparedRows(
      ctx.manager,
      'DELETE FROM loose_data WHERE data_id = ANY($1::uuid[]) AND is_going',
      [ids],
    );
  }
}
