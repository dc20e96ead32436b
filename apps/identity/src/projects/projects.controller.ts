import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { pageView } from '../http/page.js';
import { Protected } from '../policy/protected.js';
import { ProjectReadsService } from './project-reads.service.js';
import { ProjectTreeRepository } from './project-tree.repository.js';
import {
  CreateProjectBody,
  ListProjectsQuery,
  projectFilter,
  ShowProjectQuery,
  UpdateProjectBody,
} from './project.dto.js';
import { Project } from './project.entity.js';
import { ProjectRepository } from './project.repository.js';
import { projectTreeView, projectView } from './project.view.js';
import { ProjectsService } from './projects.service.js';

@ApiTags('projects')
@Controller('v3/projects')
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly reads: ProjectReadsService,
  ) {}

  @Get()
  @Protected('identity:list_projects')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListProjectsQuery): Promise<object> {
    const projects = await this.reads.list(ctx, projectFilter(query), query);
    return pageView(ctx, query, ['projects', projects], projectView);
  }

  @Post()
  @Protected('identity:create_project')
  async create(
    @Ctx() ctx: RequestContext,
    @Body() { project }: CreateProjectBody,
  ): Promise<object> {
    return { project: projectView(await this.projects.create(ctx, project), ctx.baseUrl) };
  }

  @Get(':project_id')
  @Protected('identity:get_project')
  async show(
    @Ctx() ctx: RequestContext,
    @Param('project_id') id: string,
    @Query() query: ShowProjectQuery,
  ): Promise<object> {
    const project = await this.reads.get(ctx, id);
    const tree = await this.reads.treeOf(ctx, project, query);
    return { project: projectTreeView(project, tree, ctx.baseUrl) };
  }

  @Patch(':project_id')
  @Protected('identity:update_project')
  async update(
    @Ctx() ctx: RequestContext,
    @Param('project_id') id: string,
    @Body() { project }: UpdateProjectBody,
  ): Promise<object> {
    return { project: projectView(await this.projects.update(ctx, id, project), ctx.baseUrl) };
  }

  @Delete(':project_id')
  @Protected('identity:delete_project')
  @HttpCode(204)
  delete(@Ctx() ctx: RequestContext, @Param('project_id') id: string): Promise<void> {
    return this.projects.delete(ctx, id);
  }
}

@Feature({
  controllers: [ProjectsController],
  providers: [ProjectsService, ProjectReadsService, ProjectRepository, ProjectTreeRepository],
  entities: [Project],
})
export class ProjectsModule {}
