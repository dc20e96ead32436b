import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { type Endpoint, EndpointView } from '../endpoints/endpoint.resource.js';
import { Protected } from '../policy/protected.js';
import { projectView, ProjectView } from '../projects/project.view.js';
import { crudController } from '../resource/crud.controller.js';
import { listedUnder, pageView, resourceView, shownUnder } from '../resource/resource.view.js';
import {
  CreateEndpointGroupDto,
  EndpointGroup,
  EndpointGroupView,
  ListEndpointGroupsQuery,
  ProjectEndpoint,
  ProjectEndpointGroup,
  ProjectEndpointGroupView,
} from './endpoint-group.resource.js';
import {
  EndpointGroupsService,
  projectEndpointGroups,
  projectEndpoints,
  type FilterIds,
} from './endpoint-groups.service.js';

const PATH = 'OS-EP-FILTER/endpoint_groups';
@Controller(`v3/${PATH}`)
export class EndpointGroupsController extends crudController({
  kind: 'endpoint_group',
  path: PATH,
  service: EndpointGroupsService,
  query: ListEndpointGroupsQuery,
  create: CreateEndpointGroupDto,
  view: EndpointGroupView,
}) {}

const ENDPOINTS = listedUnder('endpoints', EndpointView);
const PROJECTS = listedUnder('projects', ProjectView);
const GROUPS = listedUnder('endpoint_groups', EndpointGroupView);
const groupView = resourceView<EndpointGroup>(EndpointGroupView, PATH);
const endpointView = resourceView<Endpoint>(EndpointView, 'endpoints');

@Controller('v3/OS-EP-FILTER')
export class EndpointFiltersController {
  constructor(private readonly service: EndpointGroupsService) {}

  @Get('endpoint_groups/:endpoint_group_id/endpoints')
  @Protected('identity:list_endpoints_associated_with_endpoint_group')
  @Operation('List the endpoints of an endpoint group', ENDPOINTS)
  async endpointsOfGroup(@Ctx() ctx: RequestContext, @Param() ids: FilterIds): Promise<object> {
    const rows = await this.service.endpointsOfGroup(ctx, ids.endpoint_group_id);
    return pageView(ctx, 'endpoints', { rows, more: false }, endpointView);
  }

  @Get('endpoint_groups/:endpoint_group_id/projects')
  @Protected('identity:list_projects_associated_with_endpoint_group')
  @Operation('List the projects of an endpoint group', PROJECTS)
  async projectsOfGroup(@Ctx() ctx: RequestContext, @Param() ids: FilterIds): Promise<object> {
    const rows = await this.service.projectsOfGroup(ctx, ids.endpoint_group_id);
    return pageView(ctx, 'projects', { rows, more: false }, projectView);
  }

  @Get('endpoint_groups/:endpoint_group_id/projects/:project_id')
  @Protected('identity:get_endpoint_group_in_project')
  @Operation(
    'Show an endpoint group of a project',
    shownUnder('project_endpoint_group', ProjectEndpointGroupView),
  )
  async showGroup(@Ctx() ctx: RequestContext, @Param() ids: FilterIds): Promise<object> {
    await projectEndpointGroups.check(ctx, ids);
    const { project_id, endpoint_group_id } = ids;
    const self = `${ctx.baseUrl}/v3/${PATH}/${endpoint_group_id}/projects/${project_id}`;
    return { project_endpoint_group: { project_id, endpoint_group_id, links: { self } } };
  }

  @Put('endpoint_groups/:endpoint_group_id/projects/:project_id')
  @Protected('identity:add_endpoint_group_to_project')
  @Operation('Add an endpoint group to a project', null, { errors: [409] })
  addGroup(@Ctx() ctx: RequestContext, @Param() ids: FilterIds): Promise<void> {
    return projectEndpointGroups.add(ctx, ids);
  }

  @Delete('endpoint_groups/:endpoint_group_id/projects/:project_id')
  @Protected('identity:remove_endpoint_group_from_project')
  @Operation('Remove an endpoint group from a project', null)
  removeGroup(@Ctx() ctx: RequestContext, @Param() ids: FilterIds): Promise<void> {
    return projectEndpointGroups.remove(ctx, ids);
  }

  @Get('endpoints/:endpoint_id/projects')
  @Protected('identity:list_projects_for_endpoint')
  @Operation('List the projects of an endpoint', PROJECTS)
  async projectsOfEndpoint(@Ctx() ctx: RequestContext, @Param() ids: FilterIds): Promise<object> {
    const rows = await this.service.projectsOfEndpoint(ctx, ids.endpoint_id);
    return pageView(ctx, 'projects', { rows, more: false }, projectView);
  }

  @Get('projects/:project_id/endpoints')
  @Protected('identity:list_endpoints_for_project')
  @Operation('List the endpoints of a project', ENDPOINTS)
  async endpointsOfProject(@Ctx() ctx: RequestContext, @Param() ids: FilterIds): Promise<object> {
    const rows = await this.service.endpointsOfProject(ctx, ids.project_id);
    return pageView(ctx, 'endpoints', { rows, more: false }, endpointView);
  }

  @Get('projects/:project_id/endpoint_groups')
  @Protected('identity:list_endpoint_groups_for_project')
  @Operation('List the endpoint groups of a project', GROUPS)
  async groupsOfProject(@Ctx() ctx: RequestContext, @Param() ids: FilterIds): Promise<object> {
    const rows = await this.service.groupsOfProject(ctx, ids.project_id);
    return pageView(ctx, 'endpoint_groups', { rows, more: false }, groupView);
  }

  @Get('projects/:project_id/endpoints/:endpoint_id')
  @Protected('identity:check_endpoint_in_project')
  @Operation('Check an endpoint of a project', null)
  checkEndpoint(@Ctx() ctx: RequestContext, @Param() ids: FilterIds): Promise<void> {
    return projectEndpoints.check(ctx, ids);
  }

  @Put('projects/:project_id/endpoints/:endpoint_id')
  @Protected('identity:add_endpoint_to_project')
  @Operation('Add an endpoint to a project', null, { errors: [409] })
  addEndpoint(@Ctx() ctx: RequestContext, @Param() ids: FilterIds): Promise<void> {
    return projectEndpoints.add(ctx, ids);
  }

  @Delete('projects/:project_id/endpoints/:endpoint_id')
  @Protected('identity:remove_endpoint_from_project')
  @Operation('Remove an endpoint from a project', null)
  removeEndpoint(@Ctx() ctx: RequestContext, @Param() ids: FilterIds): Promise<void> {
    return projectEndpoints.remove(ctx, ids);
  }
}

@Feature({
  controllers: [EndpointGroupsController, EndpointFiltersController],
  providers: [EndpointGroupsService],
  entities: [EndpointGroup, ProjectEndpoint, ProjectEndpointGroup],
})
export class EndpointGroupsModule {}
