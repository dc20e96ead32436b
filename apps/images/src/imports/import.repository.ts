/**
 * All SQL of a running import in the table `images`.
 *
 * Always holds: an import is known by its image and its task, and what it writes by the object.
 * Once the image is deleted, or the import has ended, or another worker writes for it, there is
 * nothing here for it to change.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { RowGoneError, transition } from '@cumulet/common/states/transition';
import { Injectable } from '@nestjs/common';
import type { Measured } from '../image-data/data-meter.js';
import { UPLOADS, type UploadKind } from '../image-data/upload-kind.js';
import type { DataId, ImageId } from '../images/image.entity.js';
import { imageStates } from '../images/image.states.js';
import type { TaskId } from '../tasks/task.entity.js';

export interface RunningImport {
  readonly imageId: ImageId;
  readonly taskId: TaskId;
}

export interface ImportedData extends Measured {
  readonly dataId: DataId;
  readonly diskFormat: string | null;
  /** Bytes of the disk in it; null where it does not tell. */
  readonly virtualSize: number | null;
}

/** `$1` and `$2` are the image and the task. */
const RUNNING = `id = $1 AND state IN ('import_waiting', 'importing') AND EXISTS (
  SELECT FROM tasks WHERE tasks.id = $2 AND tasks.status IN ('pending', 'processing'))`;

@Injectable()
export class ImportRepository {
  /**
   * Call it in a transaction.
   * @param event `import` of what is staged, or `download`
   * @param size bytes that will be stored, as far as that is known
   * @throws WrongStateError
   */
  async begin(
    tx: RequestContext,
    id: ImageId,
    event: 'import' | 'download',
    size: number | null,
  ): Promise<void> {
    await transition(tx, imageStates, id, event);
    await tx.manager.query(
      'UPDATE images SET announced_size = $2, updated_at = clock_timestamp() WHERE id = $1',
      [id, size],
    );
  }

  async isRunning(ctx: RequestContext, { imageId, taskId }: RunningImport): Promise<boolean> {
    const rows: unknown[] = await ctx.manager.query(`SELECT FROM images WHERE ${RUNNING}`, [
      imageId,
      taskId,
    ]);
    return rows.length > 0;
  }

  /**
   * Names an object before its first byte is written, in place of what an earlier try has named
   * and announced.
   * @throws RowGoneError
   */
  nameObject(
    ctx: RequestContext,
    running: RunningImport,
    kind: UploadKind,
    dataId: DataId,
  ): Promise<void> {
    const forgotten = kind === 'staged data' ? ', announced_size = NULL' : '';
    const set = `${UPLOADS[kind].column} = $3${forgotten}`;
    return this.#update(ctx, running, set, 'true', [dataId]);
  }

  /** Notes how many bytes a download will bring, where its server has said. @throws RowGoneError */
  announce(
    ctx: RequestContext,
    running: RunningImport,
    dataId: DataId,
    size: number | undefined,
  ): Promise<void> {
    const set = 'announced_size = $4';
    return this.#update(ctx, running, set, 'staged_data_id = $3', [dataId, size ?? null]);
  }

  /** Notes that all of a download is staged. @throws RowGoneError */
  staged(ctx: RequestContext, running: RunningImport, dataId: DataId, size: number): Promise<void> {
    const set = 'staged_size = $4, announced_size = $4';
    return this.#update(ctx, running, set, 'staged_data_id = $3', [dataId, size]);
  }

  /** Notes what the data was found to be. @throws RowGoneError */
  inspected(
    ctx: RequestContext,
    running: RunningImport,
    dataId: DataId,
    virtualSize: number | null,
  ): Promise<void> {
    const set = 'virtual_size = $4';
    return this.#update(ctx, running, set, 'staged_data_id = $3', [dataId, virtualSize]);
  }

  /** Makes the image active; then nothing knows what was staged. @throws RowGoneError */
  async complete(tx: RequestContext, running: RunningImport, data: ImportedData): Promise<void> {
    const set = `size = $4, checksum = $5, hash_value = $6, virtual_size = $7, disk_format = $8,
      staged_data_id = NULL, staged_size = NULL, announced_size = NULL,
      updated_at = clock_timestamp()`;
    await this.#update(tx, running, set, 'data_id = $3', [
      data.dataId,
      data.size,
      data.md5,
      data.sha512,
      data.virtualSize,
      data.diskFormat,
    ]);
    await transition(tx, imageStates, running.imageId, 'imported');
  }

  /** Takes all off an image that is queued again; then nothing knows its objects. */
  async forget(tx: RequestContext, id: ImageId): Promise<void> {
    await tx.manager.query(
      `UPDATE images
          SET data_id = NULL, staged_data_id = NULL, staged_size = NULL, announced_size = NULL,
              upload_owner = NULL, virtual_size = NULL, updated_at = clock_timestamp()
        WHERE id = $1 AND state = 'queued'`,
      [id],
    );
  }

  async #update(
    ctx: RequestContext,
    { imageId, taskId }: RunningImport,
    set: string,
    condition: string,
    params: readonly unknown[],
  ): Promise<void> {
    const [, changed]: [unknown, number] = await ctx.manager.query(
      `UPDATE images SET ${set} WHERE ${RUNNING} AND ${condition}`,
      [imageId, taskId, ...params],
    );
    if (changed === 0) throw new RowGoneError(imageStates.resource, imageId);
  }
}
