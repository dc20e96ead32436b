import { Injectable } from '@nestjs/common';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { Condition } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { NotFoundError } from '../resource/resource.errors.js';
import type { Endpoint } from '../endpoints/endpoint.resource.js';
import { endpoints } from '../endpoints/endpoints.service.js';
import type { Project } from '../projects/project.resource.js';
import { projects } from '../projects/project.repository.js';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import {
  type CreateEndpointGroupDto,
  EndpointGroup,
  endpointsOfGroup,
  endpointsOfProject,
  ProjectEndpoint,
  ProjectEndpointGroup,
} from './endpoint-group.resource.js';

/** The IDs in paths; each path has some of them. */
export interface FilterIds {
  readonly project_id: string;
  readonly endpoint_id: string;
  readonly endpoint_group_id: string;
}

/** Associates projects with endpoints or groups of their catalog. */
class Association<Row extends { projectId: ProjectId }> extends Table<Row> {
  /** @param kind `endpoint group` */
  constructor(entity: new () => Row, kind: string, idOf: (row: Partial<Row>) => string) {
    const name = kind.replace(' ', '_');
    const error = (of: 'not-found' | 'conflict', how: string) => (key: unknown) =>
      new DomainError(of, `The ${kind} ${how} the project ${(key as Row).projectId}.`);
    super(entity, {
      missing: error('not-found', 'was not found in'),
      refusals: {
        [`project_${name}s_pkey`]: error('conflict', 'is already in'),
        [`project_${name}s_project_id_fkey`]: ({ projectId = '' }) =>
          new NotFoundError('project', projectId),
        [`project_${name}s_${name}_id_fkey`]: (row) => new NotFoundError(kind, idOf(row)),
      },
    });
  }

  /** @throws DomainError 404 for what does not exist, 409 if the project has it already */
  async add(ctx: RequestContext, ids: FilterIds): Promise<void> {
    await this.insert(ctx, this.fromWire(ctx, ids));
  }

  /** @throws DomainError 404 if the project does not have it */
  async check(ctx: RequestContext, ids: FilterIds): Promise<void> {
    await this.get(ctx, this.fromWire(ctx, ids));
  }

  remove(ctx: RequestContext, ids: FilterIds): Promise<void> {
    return this.delete(ctx, this.fromWire(ctx, ids));
  }
}

export const projectEndpoints = new Association(
  ProjectEndpoint,
  'endpoint',
  ({ endpointId = '' }) => endpointId,
);

export const projectEndpointGroups = new Association(
  ProjectEndpointGroup,
  'endpoint group',
  ({ endpointGroupId = '' }) => endpointGroupId,
);

const groups = new ResourceTable(EndpointGroup, 'endpoint group');

@Injectable()
export class EndpointGroupsService extends ResourceService<EndpointGroup, CreateEndpointGroupDto> {
  protected readonly table = groups;

  async endpointsOfGroup(ctx: RequestContext, id: string): Promise<Endpoint[]> {
    await groups.get(ctx, id);
    return endpointsIn(ctx, (bind) => endpointsOfGroup(bind(id)));
  }

  /** Directly, and by groups. */
  async endpointsOfProject(ctx: RequestContext, id: string): Promise<Endpoint[]> {
    await projects.get(ctx, id);
    return endpointsIn(ctx, (bind) => endpointsOfProject(bind(id)));
  }

  async projectsOfGroup(ctx: RequestContext, id: string): Promise<Project[]> {
    await groups.get(ctx, id);
    return projectsIn(
      ctx,
      (bind) => `project_endpoint_groups WHERE endpoint_group_id = ${bind(id)}`,
    );
  }

  async projectsOfEndpoint(ctx: RequestContext, id: string): Promise<Project[]> {
    await endpoints.get(ctx, id);
    return projectsIn(ctx, (bind) => `project_endpoints WHERE endpoint_id = ${bind(id)}`);
  }

  async groupsOfProject(ctx: RequestContext, id: string): Promise<EndpointGroup[]> {
    await projects.get(ctx, id);
    const theirs: Condition = (bind) =>
      `id IN (SELECT endpoint_group_id FROM project_endpoint_groups WHERE project_id = ${bind(id)})`;
    return groups.select(ctx, [theirs], 'ORDER BY name, id');
  }
}

/** @param ids SQL that selects them */
function endpointsIn(ctx: RequestContext, ids: Condition): Promise<Endpoint[]> {
  const which: Condition = (...of) => `id IN (${ids(...of)})`;
  return endpoints.select(ctx, [which], 'ORDER BY service_id, region_id, id');
}

/** @param where SQL: the table that names projects, and which of its rows */
function projectsIn(ctx: RequestContext, where: Condition): Promise<Project[]> {
  const which: Condition = (...of) => `id IN (SELECT project_id FROM ${where(...of)})`;
  return projects.select(ctx, [which], 'ORDER BY name, id');
}
