import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Injectable } from '@nestjs/common';
import { requireOwner } from '../image.access.js';
import { ImageChangesRepository } from '../image-changes.repository.js';
import type { Image, ImageId } from '../image.entity.js';
import { ImageNotFoundError } from '../image.errors.js';
import { ImagesService } from '../images.service.js';
import { applyChanges } from './apply-changes.js';
import type { Change } from './patch-request.js';

/** Changes an image as one: all of the changes, or none. */
@Injectable()
export class PatchService {
  constructor(
    private readonly images: ImagesService,
    private readonly changes: ImageChangesRepository,
  ) {}

  /** @throws ImageNotFoundError, NotOwnerError, and what `applyChanges` throws */
  async patch(ctx: RequestContext, id: ImageId, changes: readonly Change[]): Promise<Image> {
    const shown = await this.images.showOwn(ctx, id, 'change');
    if (changes.length === 0) return shown;
    return inTransaction(ctx, async (tx) => {
      // Of two at once, the second starts from what the first has made.
      const image = await this.changes.lock(tx, id);
      if (!image) throw new ImageNotFoundError(id);
      requireOwner(tx, image, 'change');
      return this.changes.save(tx, applyChanges(tx, image, changes));
    });
  }
}
