import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ImageId } from '../images/image.entity.js';
import { ImageIdPipe } from '../images/image-id.pipe.js';
import { MemberStatusDto, NewMemberDto } from './member.dto.js';
import { memberListView, memberView, type MemberListView, type MemberView } from './member.view.js';
import { MembersService } from './members.service.js';

/** Public source: Image API reference, "Sharing". */
@ApiTags('members')
@Controller('v2/images/:image_id/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Post()
  @HttpCode(200)
  @Allow('member')
  async add(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) imageId: ImageId,
    @Body() { member }: NewMemberDto,
  ): Promise<MemberView> {
    return memberView(await this.members.add(ctx, imageId, asId<ProjectId>(member)));
  }

  @Get()
  @Allow('reader')
  async list(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) imageId: ImageId,
  ): Promise<MemberListView> {
    return memberListView(await this.members.list(ctx, imageId));
  }

  @Get(':member_id')
  @Allow('reader')
  async show(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) imageId: ImageId,
    @Param('member_id') memberId: ProjectId,
  ): Promise<MemberView> {
    return memberView(await this.members.show(ctx, imageId, memberId));
  }

  @Put(':member_id')
  @Allow('member')
  async setStatus(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) imageId: ImageId,
    @Param('member_id') memberId: ProjectId,
    @Body() { status }: MemberStatusDto,
  ): Promise<MemberView> {
    return memberView(await this.members.setStatus(ctx, imageId, memberId, status));
  }

  @Delete(':member_id')
  @HttpCode(204)
  @Allow('member')
  async remove(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) imageId: ImageId,
    @Param('member_id') memberId: ProjectId,
  ): Promise<void> {
    await this.members.remove(ctx, imageId, memberId);
  }
}
