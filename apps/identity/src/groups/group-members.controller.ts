import { Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { pageView } from '../http/page.js';
import { Protected } from '../policy/protected.js';
import { userFilter, UserFilterQuery } from '../users/user.dto.js';
import { userView } from '../users/user.view.js';
import { UsersService } from '../users/users.service.js';
import { GroupMembersService } from './group-members.service.js';
import { GroupsService } from './groups.service.js';

@ApiTags('groups')
@Controller('v3/groups/:group_id/users')
export class GroupMembersController {
  constructor(
    private readonly groups: GroupsService,
    private readonly members: GroupMembersService,
    private readonly users: UsersService,
  ) {}

  @Get()
  @Protected('identity:list_users_in_group')
  async list(
    @Ctx() ctx: RequestContext,
    @Param('group_id') groupId: string,
    @Query() query: UserFilterQuery,
  ): Promise<object> {
    const group = await this.groups.get(ctx, groupId);
    const filter = { ...userFilter(query), groupId: group.id };
    return pageView(ctx, query, ['users', await this.users.list(ctx, filter, query)], userView);
  }

  @Get(':user_id')
  @Protected('identity:check_user_in_group')
  @HttpCode(204)
  async check(
    @Ctx() ctx: RequestContext,
    @Param('group_id') groupId: string,
    @Param('user_id') userId: string,
  ): Promise<void> {
    await this.members.check(ctx, groupId, userId);
  }

  @Put(':user_id')
  @Protected('identity:add_user_to_group')
  @HttpCode(204)
  async add(
    @Ctx() ctx: RequestContext,
    @Param('group_id') groupId: string,
    @Param('user_id') userId: string,
  ): Promise<void> {
    await this.members.add(ctx, groupId, userId);
  }

  @Delete(':user_id')
  @Protected('identity:remove_user_from_group')
  @HttpCode(204)
  async remove(
    @Ctx() ctx: RequestContext,
    @Param('group_id') groupId: string,
    @Param('user_id') userId: string,
  ): Promise<void> {
    await this.members.remove(ctx, groupId, userId);
  }
}
