/** Bytes in the store that no object has (loose-data.entity.ts). */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { DataId } from '../objects/object.entity.js';

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

  /** Puts their removal off, or, with no seconds, has them removed with the next sweep. */
  async prolong(ctx: RequestContext, dataId: DataId, seconds: number): Promise<void> {
    await preparedRows(
      ctx.manager,
      `UPDATE loose_data SET until = now() + make_interval(secs => $2) WHERE data_id = $1`,
      [dataId, seconds],
    );
  }

  /**
   * In the transaction in which an object or a part gets them.
   * @returns whether they were still there
   */
  async take(tx: RequestContext, dataId: DataId): Promise<boolean> {
    const taken = await preparedRows(
      tx.manager,
      `DELETE FROM loose_data WHERE data_id = $1 RETURNING data_id`,
      [dataId],
    );
    return taken.length === 1;
  }
}
