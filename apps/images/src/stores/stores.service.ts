import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
  conflict,
} from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ImagesConfig } from '../config.js';
import { imageStatus } from '../images/image-status.js';
import type { ImageId } from '../images/image.entity.js';
import { ImagesService } from '../images/images.service.js';

export class StoreUnknownError extends conflict(
  (store: string) => `There is no store '${store}'.`,
) {}

@Injectable()
export class StoresService {
  constructor(
    @Inject(CONFIG) private readonly config: ImagesConfig,
    private readonly images: ImagesService,
  ) {}

  /** @throws InvalidInputError */
  requireKnown(named: string | undefined): void {
    const { store } = this.config;
    if (named === undefined || named === store) return;
    throw new InvalidInputError(`There is no store '${named}'; '${store}' is the only one.`);
  }

  /**
   * Downloads always read the single store; other names are refused.
   * @param named separated by commas
   * @throws InvalidInputError
   */
  requireAllKnown(named: string): void {
    const stores = named.split(',').map((store) => store.trim());
    for (const store of stores) if (store !== '') this.requireKnown(store);
  }

  /**
   * Always refuses: the only store has the last copy of an image's data.
   * @throws StoreUnknownError, ImageNotFoundError, ForbiddenError, or DomainError without data
   */
  async removeData(ctx: RequestContext, store: string, id: ImageId): Promise<never> {
    if (store !== this.config.store) throw new StoreUnknownError(store);
    const { state } = await this.images.showOwn(ctx, id, 'remove the data of');
    if (state !== 'active') {
      const status = imageStatus(state);
      throw new DomainError(
        'conflict',
        `Image ${id} has no data to remove from a store: its status is '${status}'.`,
      );
    }
    throw new ForbiddenError(
      `The store '${store}' is the only one with the data of image ${id}: delete the image instead.`,
    );
  }
}
