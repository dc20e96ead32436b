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
import type { DeclaredFormats } from '../inspection/judge-image.js';
import { UPLOADS, type UploadKind } from './upload-kind.js';

export interface Upload {
  readonly kind: UploadKind;
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
  /** Bytes of the disk in it; null where it does not tell. */
  readonly virtualSize: number | null;
}

/** An upload that is under way, or was when its process died. */
export interface RunningUpload extends Upload {
  readonly owner: string;
  readonly isOverdue: boolean;
}

@Injectable()
export class UploadRepository {
  /**
   * Call it in a transaction.
   * @returns what the image says of its data, which does not change any more
   * @throws WrongStateError unless the image is queued
   */
  async begin(tx: RequestContext, upload: NewUpload): Promise<DeclaredFormats> {
    const { column, begin } = UPLOADS[upload.kind];
    const [[declared]]: [DeclaredFormats[], number] = await tx.manager.query(
      `UPDATE images SET ${column} = $2, upload_owner = $3, announced_size = $4
        WHERE id = $1 AND state = 'queued'
        RETURNING disk_format AS "diskFormat", container_format AS "containerFormat"`,
      [upload.imageId, upload.dataId, upload.owner, upload.announcedSize ?? null],
    );
    await transition(tx, imageStates, upload.imageId, begin);
    if (!declared) throw new UploadLostError(upload.imageId);
    return declared;
  }

  /** Moves the deadline on. @throws UploadLostError */
  async progress(ctx: RequestContext, upload: Upload): Promise<void> {
    const { progress } = UPLOADS[upload.kind];
    await this.#held(ctx, upload, (tx) => transition(tx, imageStates, upload.imageId, progress));
  }

  /** Of data: makes the image active. @throws UploadLostError */
  async complete(ctx: RequestContext, upload: Upload, data: StoredData): Promise<void> {
    await this.#held(ctx, upload, async (tx) => {
      await tx.manager.query(
        `UPDATE images
            SET size = $2, checksum = $3, hash_value = $4, virtual_size = $5, updated_at = now()
          WHERE id = $1`,
        [upload.imageId, data.size, data.md5, data.sha512, data.virtualSize],
      );
      await transition(tx, imageStates, upload.imageId, 'complete');
      await tx.manager.query(
        'UPDATE images SET upload_owner = NULL, announced_size = NULL WHERE id = $1',
        [upload.imageId],
      );
    });
  }

  /** Of staged data: it waits to be imported. @throws UploadLostError */
  async staged(ctx: RequestContext, upload: Upload, size: number): Promise<void> {
    await this.#held(ctx, upload, async (tx) => {
      await tx.manager.query(
        'UPDATE images SET staged_size = $2, updated_at = now() WHERE id = $1',
        [upload.imageId, size],
      );
      await transition(tx, imageStates, upload.imageId, 'staged');
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
        `UPDATE images
            SET ${UPLOADS[upload.kind].column} = NULL, upload_owner = NULL, announced_size = NULL
          WHERE id = $1`,
        [upload.imageId],
      );
    });
  }

  running(ctx: RequestContext): Promise<RunningUpload[]> {
    return ctx.manager.query(
      `SELECT CASE state WHEN 'saving' THEN 'data' ELSE 'staged data' END AS kind,
              CASE state WHEN 'saving' THEN data_id ELSE staged_data_id END AS "dataId",
              id AS "imageId", upload_owner AS owner, state_deadline < now() AS "isOverdue"
         FROM images WHERE state IN ('saving', 'staging')`,
    );
  }

  async #held(
    ctx: RequestContext,
    { kind, imageId, dataId }: Upload,
    work: (tx: RequestContext) => Promise<unknown>,
  ): Promise<void> {
    const { state, column } = UPLOADS[kind];
    await inTransaction(ctx, async (tx) => {
      const rows: unknown[] = await tx.manager.query(
        `SELECT FROM images WHERE id = $1 AND ${column} = $2 AND state = $3 FOR UPDATE`,
        [imageId, dataId, state],
      );
      if (rows.length === 0) throw new UploadLostError(imageId);
      await work(tx);
    });
  }
}
