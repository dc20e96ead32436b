import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { collectionLinks } from '../http/collection.view.js';
import { scopeDomainOf } from '../policy/personas.js';
import { Protected } from '../policy/protected.js';
import { ListProjectsQuery } from './project.dto.js';
import { ProjectNotFoundError } from './project.errors.js';
import { ProjectRepository } from './project.repository.js';
import { projectView } from './project.view.js';

@ApiTags('projects')
@Controller('v3/projects')
export class ProjectsController {
  constructor(private readonly projects: ProjectRepository) {}

  @Get()
  @Protected('identity:list_projects')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListProjectsQuery): Promise<object> {
    const { name, enabled, domain_id: domainId, parent_id: parentId } = query;
    const projects = await this.projects.list(ctx, {
      name,
      enabled,
      domainId,
      parentId,
      within: scopeDomainOf(ctx),
    });
    return {
      projects: projects.map((project) => projectView(project, ctx.baseUrl)),
      links: collectionLinks(ctx),
    };
  }

  @Get(':project_id')
  @Protected('identity:get_project')
  async show(@Ctx() ctx: RequestContext, @Param('project_id') projectId: string): Promise<object> {
    const project = await this.projects.find(ctx, projectId);
    if (!project) throw new ProjectNotFoundError(projectId);
    return { project: projectView(project, ctx.baseUrl) };
  }
}
