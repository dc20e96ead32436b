import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { pageView } from '../http/page.js';
import { domainOfCaller } from '../policy/new-domain.js';
import { Protected } from '../policy/protected.js';
import { GroupMember } from './group-member.entity.js';
import { GroupMemberRepository } from './group-member.repository.js';
import { GroupMembersController } from './group-members.controller.js';
import { GroupMembersService } from './group-members.service.js';
import { CreateGroupBody, groupFilter, ListGroupsQuery, UpdateGroupBody } from './group.dto.js';
import { Group } from './group.entity.js';
import { GroupRepository } from './group.repository.js';
import { groupView } from './group.view.js';
import { GroupsOfUserController } from './groups-of-user.controller.js';
import { GroupsService } from './groups.service.js';

@ApiTags('groups')
@Controller('v3/groups')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  @Protected('identity:list_groups')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListGroupsQuery): Promise<object> {
    const groups = await this.groups.list(ctx, groupFilter(query), query);
    return pageView(ctx, query, ['groups', groups], groupView);
  }

  @Post()
  @Protected('identity:create_group')
  async create(@Ctx() ctx: RequestContext, @Body() { group }: CreateGroupBody): Promise<object> {
    const { name, domain_id: domainId = domainOfCaller(ctx), description, extra } = group;
    const created = await this.groups.create(ctx, { name, domainId, description, extra });
    return { group: groupView(created, ctx.baseUrl) };
  }

  @Get(':group_id')
  @Protected('identity:get_group')
  async show(@Ctx() ctx: RequestContext, @Param('group_id') groupId: string): Promise<object> {
    return { group: groupView(await this.groups.get(ctx, groupId), ctx.baseUrl) };
  }

  @Patch(':group_id')
  @Protected('identity:update_group')
  async update(
    @Ctx() ctx: RequestContext,
    @Param('group_id') groupId: string,
    @Body() { group }: UpdateGroupBody,
  ): Promise<object> {
    const { id, name, domain_id: domainId, description, extra } = group;
    const change = { id, name, domainId, description, extra };
    const changed = await this.groups.update(ctx, groupId, change);
    return { group: groupView(changed, ctx.baseUrl) };
  }

  @Delete(':group_id')
  @Protected('identity:delete_group')
  @HttpCode(204)
  async delete(@Ctx() ctx: RequestContext, @Param('group_id') groupId: string): Promise<void> {
    await this.groups.delete(ctx, groupId);
  }
}

@Feature({
  controllers: [GroupsController, GroupMembersController, GroupsOfUserController],
  providers: [GroupsService, GroupRepository, GroupMembersService, GroupMemberRepository],
  entities: [Group, GroupMember],
})
export class GroupsModule {}
