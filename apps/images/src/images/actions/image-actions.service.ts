import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { transition } from '@cumulet/common/states/transition';
import { Injectable } from '@nestjs/common';
import { ImageChangesRepository } from '../image-changes.repository.js';
import type { ImageId } from '../image.entity.js';
import { ImageActionForbiddenError, ImageNotFoundError } from '../image.errors.js';
import { imageStatus } from '../image-status.js';
import { imageStates } from '../image.states.js';
import { ImagesService } from '../images.service.js';

/** Closes an image's data to all but administrators, and opens it again. */
@Injectable()
export class ImageActionsService {
  constructor(
    private readonly images: ImagesService,
    private readonly changes: ImageChangesRepository,
  ) {}

  /** Does nothing to one that is deactivated. @throws ImageNotFoundError or ImageActionForbiddenError */
  deactivate(ctx: RequestContext, id: ImageId): Promise<void> {
    return this.#move(ctx, id, 'deactivate');
  }

  /** Does nothing to one that is active. @throws ImageNotFoundError or ImageActionForbiddenError */
  reactivate(ctx: RequestContext, id: ImageId): Promise<void> {
    return this.#move(ctx, id, 'reactivate');
  }

  async #move(ctx: RequestContext, id: ImageId, event: 'deactivate' | 'reactivate'): Promise<void> {
    await this.images.showOwn(ctx, id, event);
    const { from, to } = imageStates.events[event];
    await inTransaction(ctx, async (tx) => {
      const image = await this.changes.lock(tx, id);
      if (!image) throw new ImageNotFoundError(id);
      if (image.state === to) return;
      if (!from.includes(image.state)) {
        throw new ImageActionForbiddenError(event, id, imageStatus(image.state));
      }
      await transition(tx, imageStates, id, event);
      await this.changes.touch(tx, id);
    });
  }
}
