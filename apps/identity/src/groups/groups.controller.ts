import { Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Protected } from '../policy/protected.js';
import { crudController } from '../resource/crud.controller.js';
import { NamedQuery } from '../resource/resource.dto.js';
import { listedUnder, pageView, resourceView } from '../resource/resource.view.js';
import { ListUsersQuery, UserView, userView } from '../users/user.resource.js';
import {
  Group,
  GroupDto,
  GroupMember,
  GroupOfUserView,
  GroupView,
  ListGroupsQuery,
} from './group.resource.js';
import { GroupsService, type MemberIds } from './groups.service.js';

@Controller('v3/groups')
export class GroupsController extends crudController({
  kind: 'group',
  service: GroupsService,
  query: ListGroupsQuery,
  create: GroupDto,
  view: GroupView,
  errors: { create: [404, 409], update: [409] },
}) {
  @Get(':group_id/users')
  @Protected('identity:list_users_in_group')
  @Operation("List a group's users", listedUnder('users', UserView))
  async listUsers(
    @Ctx() ctx: RequestContext,
    @Param('group_id') id: string,
    @Query() query: ListUsersQuery,
  ): Promise<object> {
    return pageView(ctx, 'users', await this.service.listMembers(ctx, id, query), userView);
  }

  @Get(':group_id/users/:user_id')
  @Protected('identity:check_user_in_group')
  @Operation('Check whether a user is in a group', null)
  checkUser(@Ctx() ctx: RequestContext, @Param() ids: MemberIds): Promise<void> {
    return this.service.checkMember(ctx, ids);
  }

  @Put(':group_id/users/:user_id')
  @Protected('identity:add_user_to_group')
  @Operation('Add a user to a group', null)
  addUser(@Ctx() ctx: RequestContext, @Param() ids: MemberIds): Promise<void> {
    return this.service.addMember(ctx, ids);
  }

  @Delete(':group_id/users/:user_id')
  @Protected('identity:remove_user_from_group')
  @Operation('Remove a user from a group', null)
  removeUser(@Ctx() ctx: RequestContext, @Param() ids: MemberIds): Promise<void> {
    return this.service.removeMember(ctx, ids);
  }
}

const groupView = resourceView<Group>(GroupOfUserView, 'groups');

@ApiTags('users')
@Controller('v3/users/:user_id/groups')
export class GroupsOfUserController {
  constructor(private readonly service: GroupsService) {}

  @Get()
  @Protected('identity:list_groups_for_user')
  @Operation("List a user's groups", listedUnder('groups', GroupOfUserView))
  async list(
    @Ctx() ctx: RequestContext,
    @Param('user_id') id: string,
    @Query() query: NamedQuery,
  ): Promise<object> {
    return pageView(ctx, 'groups', await this.service.listOfUser(ctx, id, query), groupView);
  }
}

@Feature({
  controllers: [GroupsController, GroupsOfUserController],
  providers: [GroupsService],
  entities: [Group, GroupMember],
})
export class GroupsModule {}
