import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Public } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { PasswordsService } from './passwords/passwords.service.js';
import { Protected } from '../policy/protected.js';
import { ListProjectsOfUserQuery } from '../projects/project.resource.js';
import { ProjectView, projectView } from '../projects/project.view.js';
import { crudController } from '../resource/crud.controller.js';
import { listedUnder, pageView } from '../resource/resource.view.js';
import { ChangePasswordBody, ListUsersQuery, User, UserDto, UserView } from './user.resource.js';
import { UsersService } from './users.service.js';

@Controller('v3/users')
export class UsersController extends crudController({
  kind: 'user',
  service: UsersService,
  query: ListUsersQuery,
  create: UserDto,
  view: UserView,
  errors: { create: [404, 409], update: [409], delete: [409] },
}) {
  constructor(private readonly passwords: PasswordsService) {
    super();
  }

  @Get(':user_id/projects')
  @Protected('identity:list_user_projects')
  @Operation("List a user's projects", listedUnder('projects', ProjectView))
  async listProjects(
    @Ctx() ctx: RequestContext,
    @Param('user_id') id: string,
    @Query() query: ListProjectsOfUserQuery,
  ): Promise<object> {
    return pageView(ctx, 'projects', await this.service.listProjects(ctx, id, query), projectView);
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
