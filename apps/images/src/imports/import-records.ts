import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { Inject, Injectable } from '@nestjs/common';
import type { ImagesConfig } from '../config.js';
import type { DataId, Image, ImageId } from '../images/image.entity.js';
import { ImageQuotas, type Allowance } from '../images/image-quotas.js';
import { imageStates } from '../images/image.states.js';
import { IMAGES_CONFIG } from '../injection-tokens.js';
import { newImportTask, TaskRepository, type TaskEnd } from '../tasks/task.repository.js';
import { importTaskOf } from './image.tasks.js';
import type { ImportInput } from './import-request.js';
import { ImportRepository, type ImportedData } from './import.repository.js';
import { runningImportOf, type ImportWork } from './import-work.js';

/** The transactions of a running import, quotas included. */
@Injectable()
export class ImportRecords {
  constructor(
    private readonly imports: ImportRepository,
    private readonly tasks: TaskRepository,
    private readonly quotas: ImageQuotas,
    @Inject(IMAGES_CONFIG) private readonly config: ImagesConfig,
  ) {}

  /**
   * Begins an import: the image's state, its task and the nudge come together.
   * @throws WrongStateError, ImageTooLargeError, QuotaExceededError or QuotaExhaustedError
   */
  async start(ctx: RequestContext, image: Image, input: ImportInput): Promise<void> {
    const { id, owner, stagedSize } = image;
    const event = stagedSize === null ? 'download' : 'import';
    await inTransaction(ctx, async (tx) => {
      await this.quotas.admit(tx, owner, stagedSize ?? undefined);
      await this.imports.begin(tx, id, event, stagedSize);
      // Of another image that had this id, and was deleted under its import.
      await this.#endTask(tx, id, { status: 'failure', message: 'The image was deleted.' });
      await this.tasks.insert(tx, newImportTask(ctx, ctx.projectId, id, { ...input }));
      await nudge(tx, { task: importTaskOf(image), resource: imageStates.resource, id });
    });
  }

  /**
   * Once a server has said how many bytes will come, or has not.
   * @throws RowGoneError, ImageTooLargeError, QuotaExceededError or QuotaExhaustedError
   */
  admitDownload(work: ImportWork, dataId: DataId, size: number | undefined): Promise<Allowance> {
    return inTransaction(work.ctx, async (tx) => {
      const allowance = await this.quotas.admitDownload(tx, work.image.owner, size);
      await this.imports.announce(tx, runningImportOf(work), dataId, size);
      return allowance;
    });
  }

  /**
   * Once all bytes are staged.
   * @param announced those that count already
   * @throws RowGoneError, QuotaExceededError or QuotaExhaustedError
   */
  async downloaded(
    work: ImportWork,
    dataId: DataId,
    size: number,
    announced: number | undefined,
  ): Promise<void> {
    const { owner } = work.image;
    await inTransaction(work.ctx, async (tx) => {
      await this.quotas.claimBytes(tx, owner, size - (announced ?? 0));
      await this.quotas.claimStaging(tx, owner, size);
      await this.imports.staged(tx, runningImportOf(work), dataId, size);
    });
  }

  /** Makes the image active, and its task a success. @throws RowGoneError or a quota's error */
  async complete(work: ImportWork, data: ImportedData): Promise<void> {
    const { id, owner, announcedSize } = work.image;
    await inTransaction(work.ctx, async (tx) => {
      // Converted data can be larger than what was imported.
      await this.quotas.claimBytes(tx, owner, data.size - (announcedSize ?? 0));
      await this.imports.complete(tx, runningImportOf(work), data);
      await this.#endTask(tx, id, { status: 'success', result: { image_id: id } });
    });
  }

  /** In the transaction in which the image was queued again. */
  async failed(tx: RequestContext, id: ImageId, message: string): Promise<void> {
    await this.imports.forget(tx, id);
    await this.#endTask(tx, id, { status: 'failure', message });
  }

  #endTask(tx: RequestContext, id: ImageId, end: TaskEnd): Promise<void> {
    return this.tasks.end(tx, id, end, this.config.taskLifetimeHours);
  }
}
