/** What can be done with images, but for their data. */
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { transition } from '@cumulet/common/states/transition';
import { Injectable } from '@nestjs/common';
import { PendingDeletes } from '../image-data/pending-deletes.js';
import { imageMembers } from '../members/member.entity.js';
import { attributeFault } from './attribute-check.js';
import { listed, maySee, requireOwner } from './image.access.js';
import { ImageChangesRepository } from './image-changes.repository.js';
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
import { imageStates } from './image.states.js';
import type { ImagePage } from './image.view.js';
import { newImage } from './new-image.js';

@Injectable()
export class ImagesService {
  constructor(
    private readonly images: ImageRepository,
    private readonly quotas: ImageQuotas,
    private readonly changes: ImageChangesRepository,
    private readonly deletes: PendingDeletes,
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
    const image = await this.#visible(ctx, id);
    if (!image) throw new ImageNotFoundError(id);
    return image;
  }

  /**
   * @param operation completes "may … it": `delete`
   * @throws ImageNotFoundError or NotOwnerError
   */
  async showOwn(ctx: RequestContext, id: ImageId, operation: string): Promise<Image> {
    const image = await this.show(ctx, id);
    requireOwner(ctx, image, operation);
    return image;
  }

  /** Nobody else changes it before the transaction ends. @throws ImageNotFoundError */
  async lock(tx: RequestContext, id: ImageId): Promise<Image> {
    const image = await this.changes.lock(tx, id);
    if (!image) throw new ImageNotFoundError(id);
    return image;
  }

  /** @throws InvalidInputError for a marker that is no image of the caller's */
  async list(ctx: RequestContext, query: ImageQuery): Promise<ImagePage> {
    const marker = query.marker === undefined ? undefined : await this.#marker(ctx, query.marker);
    const conditions = [listed(ctx, query), ...query.filters];
    // One row more than is shown tells whether there is a next page.
    const rows = await this.images.list(ctx, conditions, query.sort, query.limit + 1, marker);
    const images = rows.slice(0, query.limit);
    return { images, nextMarker: rows.length > query.limit ? images.at(-1)?.id : undefined };
  }

  /**
   * Deletes an image in whatever state it is; a running upload finds out and ends. Once this is
   * committed nobody sees the image, and whatever happens then, its data goes before its row.
   * @throws ImageNotFoundError, NotOwnerError or ImageProtectedError
   */
  async delete(ctx: RequestContext, id: ImageId): Promise<void> {
    await this.showOwn(ctx, id, 'delete');
    const { dataId, stagedDataId } = await inTransaction(ctx, async (tx) => {
      const image = await this.lock(tx, id);
      requireOwner(tx, image, 'delete');
      if (image.protected) throw new ImageProtectedError(id);
      await transition(tx, imageStates, id, 'delete');
      return image;
    });
    const objects = [dataId, stagedDataId].filter((one) => one !== null);
    await this.deletes.finish(ctx, { imageId: id, objects });
  }

  async #marker(ctx: RequestContext, text: string): Promise<ImageId> {
    const isId = attributeFault('id', text) === undefined;
    const image = isId ? await this.#visible(ctx, asId(text)) : undefined;
    if (image) return image.id;
    throw new InvalidInputError(`Invalid input: marker '${text}' is not the ID of an image.`);
  }

  async #visible(ctx: RequestContext, id: ImageId): Promise<Image | undefined> {
    const image = await this.images.find(ctx, id);
    if (!image) return undefined;
    if (maySee(ctx, image, false)) return image;
    // Only now is it worth asking who the image is shared with.
    const member = await imageMembers.find(ctx, { imageId: id, memberId: ctx.projectId });
    return maySee(ctx, image, member !== undefined) ? image : undefined;
  }
}
