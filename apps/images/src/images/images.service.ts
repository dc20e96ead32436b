/** What can be done with images, but for their data. */
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { transition } from '@cumulet/common/states/transition';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ImagesConfig } from '../config.js';
import { imageMembers } from '../members/member.entity.js';
import { TaskRepository } from '../tasks/task.repository.js';
import { attributeFault } from './attribute-check.js';
import { listed, maySee, requireOwner } from './image.access.js';
import { imageOf, type NewImage } from './image.dto.js';
import type { Image, ImageId } from './image.entity.js';
import {
  ForeignOwnerForbiddenError,
  ImageActionForbiddenError,
  ImageFormatMissingError,
  ImageNotFoundError,
  ImageProtectedError,
  PublicImageForbiddenError,
} from './image.errors.js';
import type { ImageQuery } from './image.query.js';
import { ImageQuotas } from './image-quotas.js';
import { ImageRepository } from './image.repository.js';
import { imageStates } from './image.states.js';
import { imageStatus } from './image-status.js';
import { nudgeImage } from './image.tasks.js';
import type { ImagePage } from './image.view.js';
import { applyChanges } from './patch/apply-changes.js';
import type { Change } from './patch/patch-request.js';

@Injectable()
export class ImagesService {
  constructor(
    private readonly images: ImageRepository,
    private readonly quotas: ImageQuotas,
    private readonly tasks: TaskRepository,
    @Inject(CONFIG) private readonly config: ImagesConfig,
  ) {}

  /**
   * @throws PublicImageForbiddenError or ForeignOwnerForbiddenError for what only admins may
   * @throws ImageExistsError, QuotaExceededError or QuotaExhaustedError
   */
  async create(ctx: RequestContext, wanted: NewImage): Promise<Image> {
    const owner = asId<ProjectId>(wanted.owner ?? ctx.projectId);
    if (wanted.visibility === 'public' && !ctx.isAdmin) throw new PublicImageForbiddenError();
    if (owner !== ctx.projectId && !ctx.isAdmin) throw new ForeignOwnerForbiddenError(owner);
    const image = imageOf(wanted, owner);
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
    const image = await this.images.lock(tx, id);
    if (!image) throw new ImageNotFoundError(id);
    return image;
  }

  /** Data is only worth storing once it is said what it is. @throws ImageFormatMissingError */
  requireFormats({ id, diskFormat, containerFormat }: Image): void {
    const missing = [
      ...(diskFormat === null ? ['disk_format'] : []),
      ...(containerFormat === null ? ['container_format'] : []),
    ];
    if (missing.length > 0) throw new ImageFormatMissingError(id, missing);
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
    await inTransaction(ctx, async (tx) => {
      const { protected: isProtected, stagedSize } = await this.#lockOwn(tx, id, 'delete');
      if (isProtected) throw new ImageProtectedError(id);
      await transition(tx, imageStates, id, 'delete');
      const end = { status: 'failure', message: 'The image was deleted.' } as const;
      await this.tasks.end(tx, id, end, this.config.taskLifetimeHours);
      await nudgeImage(tx, { id, state: 'pending_delete', stagedSize });
    });
  }

  /**
   * Closes an image's data to all but administrators, or opens it again. Does nothing where that
   * is so already. @throws ImageNotFoundError, NotOwnerError or ImageActionForbiddenError
   */
  async act(ctx: RequestContext, id: ImageId, event: 'deactivate' | 'reactivate'): Promise<void> {
    await this.showOwn(ctx, id, event);
    const { from, to } = imageStates.events[event];
    await inTransaction(ctx, async (tx) => {
      const { state } = await this.lock(tx, id);
      if (state === to) return;
      if (!from.includes(state)) {
        throw new ImageActionForbiddenError(event, id, imageStatus(state));
      }
      await transition(tx, imageStates, id, event);
    });
  }

  /**
   * Changes an image as one: all of the changes, or none.
   * @throws ImageNotFoundError, NotOwnerError, and what `applyChanges` throws
   * @throws QuotaExhaustedError where the project that the image is given to has all it may have
   */
  async patch(ctx: RequestContext, id: ImageId, changes: readonly Change[]): Promise<Image> {
    const shown = await this.showOwn(ctx, id, 'change');
    if (changes.length === 0) return shown;
    const newOwner = newOwnerOf(changes);
    return inTransaction(ctx, async (tx) => {
      // Quotas are claimed before rows are locked. Who may not give images away learns of none.
      if (ctx.isAdmin && newOwner !== undefined && newOwner !== shown.owner) {
        await this.quotas.claimImage(tx, newOwner);
      }
      // Of two at once, the second starts from what the first has made.
      const image = await this.#lockOwn(tx, id, 'change');
      return this.images.save(tx, applyChanges(tx, image, changes));
    });
  }

  async #lockOwn(tx: RequestContext, id: ImageId, operation: string): Promise<Image> {
    const image = await this.lock(tx, id);
    requireOwner(tx, image, operation);
    return image;
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

/** Whom the last of the changes gives the image to; what is no project is refused with the rest. */
function newOwnerOf(changes: readonly Change[]): ProjectId | undefined {
  const value = changes.findLast(({ name }) => name === 'owner')?.value;
  return typeof value === 'string' && value !== '' ? asId<ProjectId>(value) : undefined;
}
