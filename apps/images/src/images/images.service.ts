import { randomUUID } from 'node:crypto';
import { inProject } from '@cumulet/common/auth/project-access';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { ForbiddenError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { initialState, transition } from '@cumulet/common/states/transition';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ImagesConfig } from '../config.js';
import { TaskRepository } from './tasks/task.repository.js';
import { requireOwner, visible } from './image.access.js';
import type { NewImage } from './image.dto.js';
import type { Image, ImageId } from './image.entity.js';
import { publicImageForbidden } from './image.errors.js';
import { ImageQuotas } from './image-quotas.js';
import { ImageRepository } from './image.repository.js';
import { imageStates } from './image.states.js';
import { imageStatus } from './image-status.js';
import { nudgeImage } from './image.tasks.js';
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
   * @throws ForbiddenError for operations of administrators
   * @throws DomainError if the ID is taken, QuotaExceededError or QuotaExhaustedError
   */
  async create(ctx: RequestContext, wanted: NewImage): Promise<Image> {
    const owner = inProject(ctx, wanted.owner, 'owner').projectId;
    if (wanted.visibility === 'public' && !ctx.isAdmin) throw publicImageForbidden();
    const id = wanted.id ?? asId<ImageId>(randomUUID());
    return inTransaction(ctx, async (tx) => {
      await this.quotas.claim(tx, { image_count_total: 1 }, owner);
      return this.images.insert(tx, { ...wanted, ...initialState(imageStates), id, owner });
    });
  }

  /** @throws ImageNotFoundError also for an image that the caller may not see */
  show(ctx: RequestContext, id: ImageId): Promise<Image> {
    return this.images.get(ctx, id, visible(ctx));
  }

  /** @param operation as of `requireOwner` @throws ImageNotFoundError or ForbiddenError */
  async showOwn(ctx: RequestContext, id: ImageId, operation: string): Promise<Image> {
    const image = await this.show(ctx, id);
    requireOwner(ctx, image, operation);
    return image;
  }

  /**
   * Locks the image until the transaction ends.
   * @throws ImageNotFoundError or ForbiddenError
   */
  async lockOwn(tx: RequestContext, id: ImageId, operation: string): Promise<Image> {
    const image = await this.images.lock(tx, id);
    requireOwner(tx, image, operation);
    return image;
  }

  /** Data cannot be stored before its formats are known. @throws InvalidInputError */
  requireFormats({ id, diskFormat, containerFormat }: Image): void {
    const missing = [
      ...(diskFormat === null ? ['disk_format'] : []),
      ...(containerFormat === null ? ['container_format'] : []),
    ];
    if (missing.length === 0) return;
    throw new InvalidInputError(
      `Image ${id} cannot take data before these are set: ${missing.join(', ')}.`,
    );
  }

  /**
   * Deletes an image in any state; a running upload detects this and ends. From the commit on the
   * image is invisible, and its data is removed before its row.
   * @throws ImageNotFoundError or ForbiddenError
   */
  async delete(ctx: RequestContext, id: ImageId): Promise<void> {
    await this.showOwn(ctx, id, 'delete');
    await inTransaction(ctx, async (tx) => {
      const { protected: isProtected, stagedSize } = await this.lockOwn(tx, id, 'delete');
      if (isProtected) {
        throw new ForbiddenError(`Image ${id} is protected and cannot be deleted.`);
      }
      await transition(tx, imageStates, id, 'delete');
      const end = { status: 'failure', message: 'The image was deleted.' } as const;
      await this.tasks.end(tx, id, end, this.config.taskLifetimeHours);
      await nudgeImage(tx, { id, state: 'pending_delete', stagedSize });
    });
  }

  /**
   * Closes an image's data to all but administrators, or reopens it; idempotent.
   * @throws ImageNotFoundError or ForbiddenError
   */
  async act(ctx: RequestContext, id: ImageId, event: 'deactivate' | 'reactivate'): Promise<void> {
    await this.showOwn(ctx, id, event);
    const { from, to } = imageStates.events[event];
    await inTransaction(ctx, async (tx) => {
      const { state } = await this.images.lock(tx, id);
      if (state === to) return;
      if (!from.includes(state)) {
        const status = imageStatus(state);
        throw new ForbiddenError(`Cannot ${event} image ${id} while its status is '${status}'.`);
      }
      await transition(tx, imageStates, id, event);
    });
  }

  /**
   * Applies all of the changes, or none.
   * @throws ImageNotFoundError, ForbiddenError, and the errors of `applyChanges`
   * @throws QuotaExhaustedError if a project that is given the image has used up its quota
   */
  async patch(ctx: RequestContext, id: ImageId, changes: readonly Change[]): Promise<Image> {
    const shown = await this.showOwn(ctx, id, 'change');
    if (changes.length === 0) return shown;
    const newOwner = newOwnerOf(changes);
    return inTransaction(ctx, async (tx) => {
      // Quotas are claimed before rows are locked. Callers who may not give images away learn
      // nothing of them.
      if (ctx.isAdmin && newOwner !== undefined && newOwner !== shown.owner) {
        await this.quotas.claim(tx, { image_count_total: 1 }, newOwner);
      }
      // The second of two concurrent changes starts from the result of the first.
      const image = await this.lockOwn(tx, id, 'change');
      return this.images.update(tx, id, applyChanges(tx, image, changes));
    });
  }
}

/** The project that the last such change names; `applyChanges` refuses invalid values. */
function newOwnerOf(changes: readonly Change[]): ProjectId | undefined {
  const value = changes.findLast(({ name }) => name === 'owner')?.value;
  return typeof value === 'string' && value !== '' ? asId<ProjectId>(value) : undefined;
}
