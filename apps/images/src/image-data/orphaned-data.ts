import type { RequestContext } from '@cumulet/common/context/request-context';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { DataId } from '../images/image.entity.js';
import { ImageRepository } from '../images/image.repository.js';
import { IMAGE_STORE, IMAGES_LOGGER } from '../injection-tokens.js';
import type { ImageStore } from '../store/image-store.js';

/**
 * Removes objects that no image knows: the one place where data is removed.
 *
 * An object's row is committed before the object is begun, so one that exists while no row knows
 * it has lost its row for good.
 */
@Injectable()
export class OrphanedData {
  constructor(
    private readonly images: ImageRepository,
    @Inject(IMAGE_STORE) private readonly store: ImageStore,
    @Inject(IMAGES_LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Removes those of the objects that are orphans. What cannot be removed stays one, and is tried
   * again by the sweep.
   * @param ids objects that were seen in the store before this call
   * @returns how many were removed
   */
  async remove(ctx: RequestContext, ids: readonly DataId[]): Promise<number> {
    const known = await this.images.knownData(ctx, ids);
    let removed = 0;
    for (const id of ids.filter((one) => !known.has(one))) {
      try {
        await this.store.remove(id);
        removed += 1;
      } catch (error) {
        this.logger.warn({ err: error, dataId: id }, 'could not remove the data of no image yet');
      }
    }
    return removed;
  }
}
