/** What can be done with images, but for their data. */
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Injectable } from '@nestjs/common';
import { OrphanedData } from '../image-data/orphaned-data.js';
import { attributeFault } from './attribute-check.js';
import { listed, maySee, requireOwner } from './image.access.js';
import type { NewImage } from './image.dto.js';
import type { Image, ImageId } from './image.entity.js';
import {
  ForeignOwnerForbiddenError,
  ImageNotFoundError,
  ImageProtectedError,
  PublicImageForbiddenError,
} from './image.errors.js';
import type { ImageQuery } from './image.query.js';
import { ImageQuotas } from './image-quotas.js';
import { ImageRepository } from './image.repository.js';
import type { ImagePage } from './image.view.js';
import { newImage } from './new-image.js';

@Injectable()
export class ImagesService {
  constructor(
    private readonly images: ImageRepository,
    private readonly quotas: ImageQuotas,
    private readonly orphans: OrphanedData,
  ) {}

  /**
   * @throws PublicImageForbiddenError or ForeignOwnerForbiddenError for what only admins may
   * @throws ImageExistsError, QuotaExceededError or QuotaExhaustedError
   */
  async create(ctx: RequestContext, wanted: NewImage): Promise<Image> {
    const owner = asId<ProjectId>(wanted.owner ?? ctx.projectId);
    if (wanted.visibility === 'public' && !ctx.isAdmin) throw new PublicImageForbiddenError();
    if (owner !== ctx.projectId && !ctx.isAdmin) throw new ForeignOwnerForbiddenError(owner);
    const image = newImage(wanted, owner);
    await inTransaction(ctx, async (tx) => {
      await this.quotas.claimImage(tx, owner);
      await this.images.insert(tx, image);
    });
    return image;
  }

  /** @throws ImageNotFoundError also for an image that the caller may not see */
  async show(ctx: RequestContext, id: ImageId): Promise<Image> {
    const image = await this.images.find(ctx, id);
    if (!image || !maySee(ctx, image)) throw new ImageNotFoundError(id);
    return image;
  }

  /** @throws InvalidInputError for a marker that is no image of the caller's */
  async list(ctx: RequestContext, query: ImageQuery): Promise<ImagePage> {
    const marker = query.marker === undefined ? undefined : await this.#marker(ctx, query.marker);
    const conditions = [listed(ctx, query.visibility), ...query.filters];
    // One row more than is shown tells whether there is a next page.
    const rows = await this.images.list(ctx, conditions, query.sort, query.limit + 1, marker);
    const images = rows.slice(0, query.limit);
    return { images, nextMarker: rows.length > query.limit ? images.at(-1)?.id : undefined };
  }

  /**
   * Deletes an image in whatever state it is; a running upload finds out and ends.
   * @throws ImageNotFoundError, NotOwnerError or ImageProtectedError
   */
  async delete(ctx: RequestContext, id: ImageId): Promise<void> {
    const image = await this.show(ctx, id);
    requireOwner(ctx, image, 'delete');
    if (image.protected) throw new ImageProtectedError(id);
    const data = await this.images.delete(ctx, id);
    if (data === undefined) throw new ImageNotFoundError(id);
    // The row went first: whatever happens now, no image is without its bytes.
    if (data !== null) await this.orphans.remove(ctx, [data]);
  }

  async #marker(ctx: RequestContext, text: string): Promise<ImageId> {
    const id = asId<ImageId>(text);
    const image =
      attributeFault('id', text) === undefined ? await this.images.find(ctx, id) : undefined;
    if (image && maySee(ctx, image)) return image.id;
    throw new InvalidInputError(`Invalid input: marker '${text}' is not the ID of an image.`);
  }
}
