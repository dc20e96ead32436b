import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { collectionLinks } from '../http/collection.view.js';
import { authorise } from '../policy/policy.js';
import { ListProjectsQuery } from './project.dto.js';
import { ProjectNotFoundError } from './project.errors.js';
import { ProjectRepository } from './project.repository.js';
import { projectView } from './project.view.js';

@ApiTags('projects')
@Controller('v3/projects')
export class ProjectsController {
  constructor(private readonly projects: ProjectRepository) {}

  @Get()
  @Authenticated()
  async list(@Ctx() ctx: RequestContext, @Query() query: ListProjectsQuery): Promise<object> {
    authorise(ctx, 'identity:list_projects');
    const { name, enabled, domain_id: domainId, parent_id: parentId } = query;
    const projects = await this.projects.list(ctx, { name, enabled, domainId, parentId });
    return {
      projects: projects.map((project) => projectView(project, ctx.baseUrl)),
      links: collectionLinks(ctx),
    };
  }

  @Get(':project_id')
  @Authenticated()
  async show(@Ctx() ctx: RequestContext, @Param('project_id') projectId: string): Promise<object> {
    authorise(ctx, 'identity:get_project', { projectId });
    const project = await this.projects.find(ctx, projectId);
    if (!project) throw new ProjectNotFoundError(projectId);
    return { project: projectView(project, ctx.baseUrl) };
  }
}
