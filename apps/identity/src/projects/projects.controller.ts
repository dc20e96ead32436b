import { Controller, Get, Param, Query } from '@nestjs/common';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Protected } from '../policy/protected.js';
import { crudController } from '../resource/crud.controller.js';
import { listedUnder, pageView, shownUnder } from '../resource/resource.view.js';
import { ProjectTagsController, ProjectTagsService } from './project-tags.controller.js';
import { ActingDomainsService, ProjectsService } from './projects.service.js';
import { ListProjectsQuery, Project, ProjectDto, ShowProjectQuery } from './project.resource.js';
import { ProjectTreeView, projectTreeView, ProjectView, projectView } from './project.view.js';

@Controller('v3/projects')
export class ProjectsController extends crudController({
  kind: 'project',
  service: ProjectsService,
  query: ListProjectsQuery,
  create: ProjectDto,
  view: ProjectView,
  errors: { create: [409], update: [409], delete: [409] },
}) {
  @Get()
  @Protected('identity:list_projects')
  @Operation('List projects', listedUnder('projects', ProjectView), { errors: [404] })
  override async list(
    @Ctx() ctx: RequestContext,
    @Query() query: ListProjectsQuery,
  ): Promise<object> {
    const page = query.is_domain
      ? await this.service.listDomains(ctx, query)
      : await this.service.list(ctx, query);
    return pageView(ctx, 'projects', page, projectView);
  }

  @Get(':project_id')
  @Protected('identity:get_project')
  @Operation('Show a project', shownUnder('project', ProjectTreeView))
  override async show(
    @Ctx() ctx: RequestContext,
    @Param('project_id') id: string,
    @Query() query: ShowProjectQuery = {},
  ): Promise<object> {
    const project = await this.service.getShown(ctx, id);
    const tree = await this.service.treeOf(ctx, project, query);
    return { project: projectTreeView(project, tree, ctx.baseUrl) };
  }
}

@Feature({
  controllers: [ProjectsController, ProjectTagsController],
  providers: [ProjectsService, ProjectTagsService, ActingDomainsService],
  entities: [Project],
})
export class ProjectsModule {}
