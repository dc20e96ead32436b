/**
 * All SQL of an upload in the table `images`.
 *
 * Always holds: a running upload is known by its image and by the object it writes. Once another
 * has taken the image over, the former finds neither its row nor anything to change.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { transition } from '@cumulet/common/states/transition';
import { Injectable } from '@nestjs/common';
import type { DataId, ImageId } from '../images/image.entity.js';
import { UploadLostError } from '../images/image.errors.js';
import { imageStates } from '../images/image.states.js';

export interface Upload {
  readonly imageId: ImageId;
  readonly dataId: DataId;
}

export interface NewUpload extends Upload {
  /** The process that receives the data. */
  readonly owner: string;
  /** Bytes that will come, as far as the client has said. */
  readonly announcedSize: number | undefined;
}

/** What was stored. */
export interface StoredData {
  readonly size: number;
  readonly md5: string;
  readonly sha512: string;
}

/** An upload that is under way, or was when its process died. */
export interface RunningUpload extends Upload {
  readonly owner: string;
  readonly isOverdue: boolean;
}

@Injectable()
export class UploadRepository {
  /** @throws WrongStateError unless the image is queued; call it in a transaction */
  async begin(tx: RequestContext, upload: NewUpload): Promise<void> {
    await tx.manager.query(
      `UPDATE images SET data_id = $2, upload_owner = $3, announced_size = $4
        WHERE id = $1 AND state = 'queued'`,
      [upload.imageId, upload.dataId, upload.owner, upload.announcedSize ?? null],
    );
    await transition(tx, imageStates, upload.imageId, 'upload');
  }

  /** Moves the deadline on. @throws UploadLostError */
  async progress(ctx: RequestContext, upload: Upload): Promise<void> {
    await this.#held(ctx, upload, (tx) => transition(tx, imageStates, upload.imageId, 'progress'));
  }

  /** Makes the image active. @throws UploadLostError */
  async complete(ctx: RequestContext, upload: Upload, data: StoredData): Promise<void> {
    await this.#held(ctx, upload, async (tx) => {
      await tx.manager.query(
        `UPDATE images SET size = $2, checksum = $3, hash_value = $4, updated_at = now()
          WHERE id = $1`,
        [upload.imageId, data.size, data.md5, data.sha512],
      );
      await transition(tx, imageStates, upload.imageId, 'complete');
      await tx.manager.query(
        'UPDATE images SET upload_owner = NULL, announced_size = NULL WHERE id = $1',
        [upload.imageId],
      );
    });
  }

  /** Makes the image queued again; then nothing knows the object. @throws UploadLostError */
  async abort(ctx: RequestContext, upload: Upload, reason: string): Promise<void> {
    await this.#held(ctx, upload, async (tx) => {
      await transition(tx, imageStates, upload.imageId, 'abort', { reason });
      await tx.manager.query(
        `UPDATE images SET data_id = NULL, upload_owner = NULL, announced_size = NULL
          WHERE id = $1`,
        [upload.imageId],
      );
    });
  }

  running(ctx: RequestContext): Promise<RunningUpload[]> {
    return ctx.manager.query(
      `SELECT id AS "imageId", data_id AS "dataId", upload_owner AS owner,
              state_deadline < now() AS "isOverdue"
         FROM images WHERE state = 'saving'`,
    );
  }

  async #held(
    ctx: RequestContext,
    { imageId, dataId }: Upload,
    work: (tx: RequestContext) => Promise<unknown>,
  ): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      const rows: unknown[] = await tx.manager.query(
        `SELECT FROM images WHERE id = $1 AND data_id = $2 AND state = 'saving' FOR UPDATE`,
        [imageId, dataId],
      );
      if (rows.length === 0) throw new UploadLostError(imageId);
      await work(tx);
    });
  }
}
