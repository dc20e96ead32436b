import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { pageView } from '../http/page.js';
import { domainOfCaller } from '../policy/new-domain.js';
import { Protected } from '../policy/protected.js';
import { filterOfUser, ListProjectsOfUserQuery } from '../projects/project.dto.js';
import { ProjectReadsService } from '../projects/project-reads.service.js';
import { projectView } from '../projects/project.view.js';
import {
  CreateUserBody,
  UpdateUserBody,
  userFilter,
  UserFilterQuery,
  type UserFieldsDto,
} from './user.dto.js';
import type { UserChange } from './user-change.js';
import { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import { userView } from './user.view.js';
import { UsersService } from './users.service.js';

@ApiTags('users')
@Controller('v3/users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly projects: ProjectReadsService,
  ) {}

  @Get()
  @Protected('identity:list_users')
  async list(@Ctx() ctx: RequestContext, @Query() query: UserFilterQuery): Promise<object> {
    const users = await this.users.list(ctx, userFilter(query), query);
    return pageView(ctx, query, ['users', users], userView);
  }

  @Post()
  @Protected('identity:create_user')
  async create(@Ctx() ctx: RequestContext, @Body() { user }: CreateUserBody): Promise<object> {
    const { name, domain_id: domainId = domainOfCaller(ctx) } = user;
    const created = await this.users.create(ctx, { ...changeOf(user), name, domainId });
    return { user: userView(created, ctx.baseUrl) };
  }

  @Get(':user_id')
  @Protected('identity:get_user')
  async show(@Ctx() ctx: RequestContext, @Param('user_id') userId: string): Promise<object> {
    return { user: userView(await this.users.get(ctx, userId), ctx.baseUrl) };
  }

  @Patch(':user_id')
  @Protected('identity:update_user')
  async update(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Body() { user }: UpdateUserBody,
  ): Promise<object> {
    const { id, name, domain_id: domainId } = user;
    const changed = await this.users.update(ctx, userId, { ...changeOf(user), id, name, domainId });
    return { user: userView(changed, ctx.baseUrl) };
  }

  @Delete(':user_id')
  @Protected('identity:delete_user')
  @HttpCode(204)
  async delete(@Ctx() ctx: RequestContext, @Param('user_id') userId: string): Promise<void> {
    await this.users.delete(ctx, userId);
  }

  @Get(':user_id/projects')
  @Protected('identity:list_user_projects')
  async listProjects(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Query() query: ListProjectsOfUserQuery,
  ): Promise<object> {
    const user = await this.users.get(ctx, userId);
    const projects = await this.projects.listOfUser(ctx, user.id, filterOfUser(query), query);
    return pageView(ctx, query, ['projects', projects], projectView);
  }
}

function changeOf(user: UserFieldsDto): UserChange {
  const { description, enabled, password, options, extra } = user;
  const { default_project_id: defaultProjectId } = user;
  return { description, enabled, defaultProjectId, password, options, extra };
}

@Feature({
  controllers: [UsersController],
  providers: [UsersService, UserRepository],
  entities: [User],
})
export class UsersModule {}
