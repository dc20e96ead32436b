import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Scope } from '@cumulet/common/reconcile/reconciler';
import { RowGoneError } from '@cumulet/common/states/transition';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Image, ImageId } from '../images/image.entity.js';
import { ImageRepository } from '../images/image.repository.js';
import { IMPORT_STATES, imageStates } from '../images/image.states.js';
import { IMAGES_LOGGER } from '../injection-tokens.js';
import { TaskRepository } from '../tasks/task.repository.js';
import { ImportRepository } from './import.repository.js';
import { runningImportOf, type ImportWork } from './import-work.js';

/** A deleted image's download goes on for no longer. */
const LOOK_MS = 2_000;

/** Has a phase end early where its image is deleted under it. */
@Injectable()
export class ImportHold {
  constructor(
    private readonly images: ImageRepository,
    private readonly tasks: TaskRepository,
    private readonly imports: ImportRepository,
    @Inject(IMAGES_LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Runs a phase with the rows as they are now, and looks now and then whether they are still there.
   * @throws RowGoneError where the image does not import any more
   */
  async during(
    { ctx, row, signal }: Scope<Image>,
    phase: (work: ImportWork) => Promise<void>,
    lookMs = LOOK_MS,
  ): Promise<void> {
    const rows = await this.#rows(ctx, row.id);
    const lost = new AbortController();
    const work = { ctx, ...rows, signal: AbortSignal.any([signal, lost.signal]) };
    const timer = setInterval(() => void this.#look(work, lost), lookMs);
    timer.unref();
    try {
      await phase(work);
    } finally {
      clearInterval(timer);
    }
  }

  async #rows(ctx: RequestContext, id: ImageId): Promise<Pick<ImportWork, 'image' | 'task'>> {
    const image = await this.images.find(ctx, id);
    const task = await this.tasks.findRunning(ctx, id);
    if (!image || !IMPORT_STATES.includes(image.state) || !task) throw gone(id);
    return { image, task };
  }

  async #look(work: ImportWork, lost: AbortController): Promise<void> {
    const imageId = work.image.id;
    try {
      if (await this.imports.isRunning(work.ctx, runningImportOf(work))) return;
      lost.abort(gone(imageId));
    } catch (error) {
      this.logger.warn({ err: error, imageId }, 'could not see whether an import is still wanted');
    }
  }
}

function gone(id: ImageId): RowGoneError {
  return new RowGoneError(imageStates.resource, id);
}
