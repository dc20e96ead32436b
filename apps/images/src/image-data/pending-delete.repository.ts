/** All SQL of images that were deleted and whose objects may still be there. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Injectable } from '@nestjs/common';
import type { DataId, ImageId } from '../images/image.entity.js';

/** An image that nobody sees any more, and the objects to remove before its row. */
export interface PendingDelete {
  readonly imageId: ImageId;
  readonly objects: readonly DataId[];
}

@Injectable()
export class PendingDeleteRepository {
  /** The longest waiting first. */
  list(ctx: RequestContext): Promise<PendingDelete[]> {
    return ctx.manager.query(
      `SELECT id AS "imageId", array_remove(ARRAY[data_id, staged_data_id], NULL) AS objects
         FROM images WHERE state = 'pending_delete' ORDER BY state_since, id`,
    );
  }

  /** The row's turn comes last: as long as it is there, its objects are known. */
  async removeRow(ctx: RequestContext, id: ImageId): Promise<void> {
    await ctx.manager.query(`DELETE FROM images WHERE id = $1 AND state = 'pending_delete'`, [id]);
  }
}
