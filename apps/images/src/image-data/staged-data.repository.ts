/** All SQL of staged data in the table `images` that nobody imports. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { transition } from '@cumulet/common/states/transition';
import { Injectable } from '@nestjs/common';
import type { DataId, ImageId } from '../images/image.entity.js';
import { imageStates } from '../images/image.states.js';

export interface StagedObject {
  readonly imageId: ImageId;
  readonly dataId: DataId;
}

/** As many as one run of the sweep takes. */
const MOST = 100;

@Injectable()
export class StagedDataRepository {
  /** Those that have been staged for longer, the oldest first. */
  olderThan(ctx: RequestContext, hours: number): Promise<StagedObject[]> {
    return ctx.manager.query(
      `SELECT id AS "imageId", staged_data_id AS "dataId" FROM images
        WHERE state = 'staged' AND state_since < now() - $1 * interval '1 hour'
        ORDER BY state_since LIMIT $2`,
      [hours, MOST],
    );
  }

  /**
   * Makes the image queued again; then nothing knows the object.
   * @throws WrongStateError or RowGoneError where it was imported or deleted meanwhile
   */
  async expire(ctx: RequestContext, id: ImageId, reason: string): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      await transition(tx, imageStates, id, 'expire', { reason });
      await tx.manager.query(
        `UPDATE images
            SET staged_data_id = NULL, staged_size = NULL, updated_at = clock_timestamp()
          WHERE id = $1`,
        [id],
      );
    });
  }
}
