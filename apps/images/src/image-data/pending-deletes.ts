import type { RequestContext } from '@cumulet/common/context/request-context';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { SweepEvery } from '@cumulet/common/service/background';
import { IMAGE_STORE, IMAGES_LOGGER } from '../injection-tokens.js';
import type { ImageStore } from '../store/image-store.js';
import { PendingDeleteRepository, type PendingDelete } from './pending-delete.repository.js';

/**
 * Finishes deletes: removes an image's objects, and then its row.
 *
 * What is cut short at any point is simply done again, by the sweep. An upload that still runs has
 * lost its image and removes what it has written since.
 */
@Injectable()
export class PendingDeletes {
  constructor(
    private readonly deletes: PendingDeleteRepository,
    @Inject(IMAGE_STORE) private readonly store: ImageStore,
    @Inject(IMAGES_LOGGER) private readonly logger: Logger,
  ) {}

  /** Finishes the deletes that a crash, or a store out of reach, has cut short. */
  @SweepEvery(3_000, 'pending-deletes')
  async finishAll(ctx: RequestContext): Promise<void> {
    for (const pending of await this.deletes.list(ctx)) await this.finish(ctx, pending);
  }

  /** @returns false where something is left, for the sweep to try again */
  async finish(ctx: RequestContext, { imageId, objects }: PendingDelete): Promise<boolean> {
    try {
      for (const object of objects) await this.store.remove(object);
      await this.deletes.removeRow(ctx, imageId);
      return true;
    } catch (error) {
      this.logger.warn({ err: error, imageId }, 'could not finish the delete of an image yet');
      return false;
    }
  }
}
