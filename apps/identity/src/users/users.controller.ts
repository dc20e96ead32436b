import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { GroupOfUserView } from '../groups/group.dto.js';
import type { Group } from '../groups/group.entity.js';
import { GroupsService } from '../groups/groups.service.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { Protected } from '../policy/protected.js';
import { ListProjectsOfUserQuery } from '../projects/project.dto.js';
import { ProjectView, projectView } from '../projects/project.view.js';
import { ProjectsService } from '../projects/projects.service.js';
import { crudController } from '../resource/crud.controller.js';
import { NamedQuery } from '../resource/resource.dto.js';
import { listedUnder, pageView, resourceView } from '../resource/resource.view.js';
import { ChangePasswordBody, ListUsersQuery, UserView, UserDto } from './user.dto.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

const groupView = resourceView<Group>(GroupOfUserView, 'groups');

@ApiTags('users')
@Controller('v3/users')
export class UsersController extends crudController({
  kind: 'user',
  service: UsersService,
  query: ListUsersQuery,
  create: UserDto,
  view: UserView,
  errors: { create: [404, 409], update: [409], delete: [409] },
}) {
  constructor(
    private readonly groups: GroupsService,
    private readonly passwords: PasswordsService,
    private readonly projects: ProjectsService,
  ) {
    super();
  }

  @Get(':user_id/groups')
  @Protected('identity:list_groups_for_user')
  @Operation("List a user's groups", listedUnder('groups', GroupOfUserView))
  async listGroups(
    @Ctx() ctx: RequestContext,
    @Param('user_id') id: string,
    @Query() query: NamedQuery,
  ): Promise<object> {
    return pageView(ctx, 'groups', await this.groups.listOfUser(ctx, id, query), groupView);
  }

  @Get(':user_id/projects')
  @Protected('identity:list_user_projects')
  @Operation("List a user's projects", listedUnder('projects', ProjectView))
  async listProjects(
    @Ctx() ctx: RequestContext,
    @Param('user_id') id: string,
    @Query() query: ListProjectsOfUserQuery,
  ): Promise<object> {
    return pageView(ctx, 'projects', await this.projects.listOfUser(ctx, id, query), projectView);
  }

  /** Needs no token: a user whose password has expired cannot get one. */
  @Post(':user_id/password')
  @Public()
  @Operation("Change a user's own password", null, { errors: [401] })
  changePassword(
    @Ctx() ctx: RequestContext,
    @Param('user_id') id: string,
    @Body() { user }: ChangePasswordBody,
  ): Promise<void> {
    return this.passwords.change(ctx, id, user);
  }
}

@Feature({ controllers: [UsersController], providers: [UsersService], entities: [User] })
export class UsersModule {}
