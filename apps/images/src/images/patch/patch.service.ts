import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Injectable } from '@nestjs/common';
import { requireOwner } from '../image.access.js';
import { ImageChangesRepository } from '../image-changes.repository.js';
import type { Image, ImageId } from '../image.entity.js';
import { ImageNotFoundError } from '../image.errors.js';
import { ImageQuotas } from '../image-quotas.js';
import { ImagesService } from '../images.service.js';
import { applyChanges } from './apply-changes.js';
import type { Change } from './patch-request.js';

/** Changes an image as one: all of the changes, or none. */
@Injectable()
export class PatchService {
  constructor(
    private readonly images: ImagesService,
    private readonly changes: ImageChangesRepository,
    private readonly quotas: ImageQuotas,
  ) {}

  /**
   * @throws ImageNotFoundError, NotOwnerError, and what `applyChanges` throws
   * @throws QuotaExhaustedError where the project that the image is given to has all it may have
   */
  async patch(ctx: RequestContext, id: ImageId, changes: readonly Change[]): Promise<Image> {
    const shown = await this.images.showOwn(ctx, id, 'change');
    if (changes.length === 0) return shown;
    const newOwner = newOwnerOf(changes);
    return inTransaction(ctx, async (tx) => {
      // Quotas are claimed before rows are locked. Who may not give images away learns of none.
      if (ctx.isAdmin && newOwner !== undefined && newOwner !== shown.owner) {
        await this.quotas.claimImage(tx, newOwner);
      }
      // Of two at once, the second starts from what the first has made.
      const image = await this.changes.lock(tx, id);
      if (!image) throw new ImageNotFoundError(id);
      requireOwner(tx, image, 'change');
      return this.changes.save(tx, applyChanges(tx, image, changes));
    });
  }
}

/** Whom the last of the changes gives the image to; what is no project is refused with the rest. */
function newOwnerOf(changes: readonly Change[]): ProjectId | undefined {
  const value = changes.findLast(({ name }) => name === 'owner')?.value;
  return typeof value === 'string' && value !== '' ? asId<ProjectId>(value) : undefined;
}
