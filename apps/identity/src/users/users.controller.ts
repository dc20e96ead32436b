import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { collectionLinks } from '../http/collection.view.js';
import { scopeDomainOf } from '../policy/personas.js';
import { Protected } from '../policy/protected.js';
import { ProjectRepository } from '../projects/project.repository.js';
import { projectView } from '../projects/project.view.js';
import { ListUsersQuery } from './user.dto.js';
import { UserNotFoundError } from './user.errors.js';
import { UserRepository } from './user.repository.js';
import { userView } from './user.view.js';

@ApiTags('users')
@Controller('v3/users')
export class UsersController {
  constructor(
    private readonly users: UserRepository,
    private readonly projects: ProjectRepository,
  ) {}

  @Get()
  @Protected('identity:list_users')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListUsersQuery): Promise<object> {
    const { name, enabled, domain_id: domainId } = query;
    const users = await this.users.list(ctx, {
      name,
      enabled,
      domainId,
      within: scopeDomainOf(ctx),
    });
    return {
      users: users.map((user) => userView(user, ctx.baseUrl)),
      links: collectionLinks(ctx),
    };
  }

  @Get(':user_id')
  @Protected('identity:get_user')
  async show(@Ctx() ctx: RequestContext, @Param('user_id') userId: string): Promise<object> {
    const user = await this.users.find(ctx, userId);
    if (!user) throw new UserNotFoundError(userId);
    return { user: userView(user, ctx.baseUrl) };
  }

  @Get(':user_id/projects')
  @Protected('identity:list_user_projects')
  async listProjects(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
  ): Promise<object> {
    if (!(await this.users.find(ctx, userId))) throw new UserNotFoundError(userId);
    const projects = await this.projects.listOfUser(ctx, userId);
    return {
      projects: projects.map((project) => projectView(project, ctx.baseUrl)),
      links: collectionLinks(ctx),
    };
  }
}
