/**
 * The projects that an image is shared with. Its owner says which they are, each of them says
 * whether it takes the image, and sees no other. Public source: Image API reference, "Sharing".
 */
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Inject, Injectable } from '@nestjs/common';
import type { ImagesConfig } from '../config.js';
import { isOwner, requireOwner, seesAll } from '../images/image.access.js';
import { ImageChangesRepository } from '../images/image-changes.repository.js';
import type { Image, ImageId } from '../images/image.entity.js';
import { ImageNotFoundError } from '../images/image.errors.js';
import { ImagesService } from '../images/images.service.js';
import { IMAGES_CONFIG } from '../injection-tokens.js';
import type { ImageMember, MemberStatus } from './member.entity.js';
import {
  ImageNotSharedError,
  MemberNotFoundError,
  MemberStatusForbiddenError,
  TooManyMembersError,
} from './member.errors.js';
import { MemberRepository } from './member.repository.js';

@Injectable()
export class MembersService {
  readonly #most: number;

  constructor(
    @Inject(IMAGES_CONFIG) config: ImagesConfig,
    private readonly images: ImagesService,
    private readonly changes: ImageChangesRepository,
    private readonly members: MemberRepository,
  ) {
    this.#most = config.imageMemberQuota;
  }

  /**
   * @throws ImageNotFoundError, ImageNotSharedError, NotOwnerError
   * @throws TooManyMembersError or MemberExistsError
   */
  async add(ctx: RequestContext, imageId: ImageId, memberId: ProjectId): Promise<ImageMember> {
    await this.images.show(ctx, imageId);
    return inTransaction(ctx, async (tx) => {
      // Under the image's lock, no two share the last place.
      const image = await this.changes.lock(tx, imageId);
      if (!image) throw new ImageNotFoundError(imageId);
      requireShared(image);
      requireOwner(tx, image, 'share');
      const count = await this.members.count(tx, imageId);
      if (this.#most >= 0 && count >= this.#most) throw new TooManyMembersError(imageId, count);
      return this.members.insert(tx, imageId, memberId);
    });
  }

  /** @throws ImageNotFoundError or ImageNotSharedError */
  async list(ctx: RequestContext, imageId: ImageId): Promise<ImageMember[]> {
    const image = await this.images.show(ctx, imageId);
    requireShared(image);
    const members = await this.members.list(ctx, imageId);
    return members.filter(({ memberId }) => maySeeMember(ctx, image, memberId));
  }

  /** @throws ImageNotFoundError or MemberNotFoundError */
  async show(ctx: RequestContext, imageId: ImageId, memberId: ProjectId): Promise<ImageMember> {
    const image = await this.images.show(ctx, imageId);
    const mayBe = image.visibility === 'shared' && maySeeMember(ctx, image, memberId);
    const member = mayBe ? await this.members.find(ctx, imageId, memberId) : undefined;
    if (!member) throw new MemberNotFoundError(memberId, imageId);
    return member;
  }

  /**
   * @throws ImageNotFoundError, ImageNotSharedError
   * @throws MemberStatusForbiddenError or MemberNotFoundError
   */
  async setStatus(
    ctx: RequestContext,
    imageId: ImageId,
    memberId: ProjectId,
    status: MemberStatus,
  ): Promise<ImageMember> {
    const image = await this.images.show(ctx, imageId);
    requireShared(image);
    if (!ctx.isAdmin && isOwner(ctx, image)) throw new MemberStatusForbiddenError(memberId);
    const isOwn = ctx.isAdmin || memberId === ctx.projectId;
    const member = isOwn ? await this.members.setStatus(ctx, imageId, memberId, status) : undefined;
    if (!member) throw new MemberNotFoundError(memberId, imageId);
    return member;
  }

  /** @throws ImageNotFoundError, ImageNotSharedError, NotOwnerError or MemberNotFoundError */
  async remove(ctx: RequestContext, imageId: ImageId, memberId: ProjectId): Promise<void> {
    const image = await this.images.show(ctx, imageId);
    requireShared(image);
    requireOwner(ctx, image, 'unshare');
    const isRemoved = await this.members.remove(ctx, imageId, memberId);
    if (!isRemoved) throw new MemberNotFoundError(memberId, imageId);
  }
}

function requireShared({ id, visibility }: Image): void {
  if (visibility !== 'shared') throw new ImageNotSharedError(id, visibility);
}

function maySeeMember(ctx: RequestContext, image: Image, memberId: ProjectId): boolean {
  return seesAll(ctx) || isOwner(ctx, image) || memberId === ctx.projectId;
}
