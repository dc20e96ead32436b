import { Allow } from '@cumulet/common/auth/access';
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { ProjectId } from '@cumulet/common/context/ids';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError, ForbiddenError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import { Body, Controller, Delete, Get, Inject, Param, Post, Put } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ImagesConfig } from '../../config.js';
import { isOwner, requireOwner, requireShared } from '../image.access.js';
import type { Image, ImageId } from '../image.entity.js';
import { ImageParam } from '../image-id.pipe.js';
import { ImagesService } from '../images.service.js';
import {
  ImageMember,
  imageMembers,
  MemberList,
  MemberStatusDto,
  MemberView,
  memberView,
  NewMemberDto,
  noMember,
} from './member.resource.js';

/**
 * The owner chooses the members; each member accepts or rejects the image, and sees no other
 * member. Public source: Image API reference, "Sharing".
 */
@Controller('v2/images/:image_id/members')
export class MembersController {
  constructor(
    @Inject(CONFIG) private readonly config: ImagesConfig,
    private readonly images: ImagesService,
  ) {}

  @Post()
  @Allow('member')
  @Operation('Add a member to an image', MemberView, { status: 200, creates: true, errors: [409] })
  async add(
    @Ctx() ctx: RequestContext,
    @ImageParam() imageId: ImageId,
    @Body() { member: memberId }: NewMemberDto,
  ): Promise<MemberView> {
    await this.images.show(ctx, imageId);
    return inTransaction(ctx, async (tx) => {
      // The lock keeps two requests from taking the last place.
      requireShared(await this.images.lockOwn(tx, imageId, 'share'));
      const { length } = await imageMembers.select(tx, [equals('imageId', imageId)]);
      const { imageMemberQuota: limit } = this.config;
      const isFull = `Image ${imageId} is shared with ${length} projects, which is the maximum.`;
      if (limit >= 0 && length >= limit) throw new DomainError('too-large', isFull);
      return memberView(await imageMembers.insert(tx, { imageId, memberId }));
    });
  }

  @Get()
  @Allow('reader')
  @Operation('List the members of an image', MemberList)
  async list(@Ctx() ctx: RequestContext, @ImageParam() imageId: ImageId): Promise<object> {
    const image = requireShared(await this.images.show(ctx, imageId));
    const conditions = [equals('imageId', imageId), ...seen(ctx, image)];
    const rows = await imageMembers.select(ctx, conditions, 'ORDER BY created_at, member_id');
    return { members: rows.map(memberView), schema: '/v2/schemas/members' };
  }

  @Get(':member_id')
  @Allow('reader')
  @Operation('Show a member of an image', MemberView)
  async show(
    @Ctx() ctx: RequestContext,
    @ImageParam() imageId: ImageId,
    @Param('member_id') memberId: ProjectId,
  ): Promise<MemberView> {
    const image = await this.images.show(ctx, imageId);
    if (image.visibility !== 'shared') throw noMember({ imageId, memberId });
    return memberView(await imageMembers.get(ctx, { imageId, memberId }, seen(ctx, image)));
  }

  @Put(':member_id')
  @Allow('member')
  @Operation('Accept or reject an image', MemberView)
  async setStatus(
    @Ctx() ctx: RequestContext,
    @ImageParam() imageId: ImageId,
    @Param('member_id') memberId: ProjectId,
    @Body() { status }: MemberStatusDto,
  ): Promise<MemberView> {
    const image = requireShared(await this.images.show(ctx, imageId));
    if (!ctx.isAdmin && isOwner(ctx, image))
      throw new ForbiddenError(`Only the project '${memberId}' itself may set its status.`);
    if (!ctx.isAdmin && memberId !== ctx.projectId) throw noMember({ imageId, memberId });
    return memberView(await imageMembers.update(ctx, { imageId, memberId }, { status }));
  }

  @Delete(':member_id')
  @Allow('member')
  @Operation('Remove a member from an image', null)
  async remove(
    @Ctx() ctx: RequestContext,
    @ImageParam() imageId: ImageId,
    @Param('member_id') memberId: ProjectId,
  ): Promise<void> {
    requireOwner(ctx, requireShared(await this.images.show(ctx, imageId)), 'unshare');
    await imageMembers.delete(ctx, { imageId, memberId });
  }
}

/** The members that the caller may see. */
function seen(ctx: RequestContext, image: Image): Condition[] {
  return mayActOn(ctx, image.owner) ? [] : [equals('memberId', ctx.projectId)];
}

@Feature({ controllers: [MembersController], entities: [ImageMember] })
export class MembersModule {}
