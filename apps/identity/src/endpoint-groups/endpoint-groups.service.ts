import { Injectable } from '@nestjs/common';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { Condition } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { NotFoundError } from '../resource/resource.errors.js';
import type { Endpoint } from '../endpoints/endpoint.entity.js';
import { endpoints } from '../endpoints/endpoints.service.js';
import { Project } from '../projects/project.entity.js';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import type { CreateEndpointGroupDto } from './endpoint-group.dto.js';
import {
  EndpointGroup,
  endpointsOfGroup,
  endpointsOfProject,
  ProjectEndpoint,
  ProjectEndpointGroup,
} from './endpoint-group.entity.js';

/** What a path names: a project, and an endpoint or a group of them. */
export interface FilterIds {
  readonly project_id: string;
  readonly endpoint_id?: string;
  readonly endpoint_group_id?: string;
}

/** That projects have something in their catalog. */
class Association<Row extends { projectId: ProjectId }> {
  readonly #table: Table<Row>;

  /**
   * @param kind `endpoint group`
   * @param table as the database calls it, and its constraints
   * @param keyOf from a path to the row
   */
  constructor(
    entity: new () => Row,
    kind: string,
    table: string,
    private readonly keyOf: (ids: FilterIds) => Partial<Row>,
    idOf: (row: Partial<Row>) => string | undefined,
  ) {
    const error = (of: 'not-found' | 'conflict', how: string) => (key: unknown) =>
      new DomainError(of, `The ${kind} ${how} the project ${(key as Row).projectId}.`);
    this.#table = new Table<Row>(entity, {
      missing: error('not-found', 'was not found in'),
      refusals: {
        [`${table}_pkey`]: error('conflict', 'is already in'),
        [`${table}_project_id_fkey`]: ({ projectId = '' }) =>
          new NotFoundError('project', projectId),
        [`${table}_${kind.replace(' ', '_')}_id_fkey`]: (row) =>
          new NotFoundError(kind, idOf(row) ?? ''),
      },
    });
  }

  /** @throws DomainError 404 for what is not there, 409 where the project has it already */
  async add(ctx: RequestContext, ids: FilterIds): Promise<void> {
    await this.#table.insert(ctx, this.keyOf(ids));
  }

  /** @throws DomainError 404 where the project has it not */
  async check(ctx: RequestContext, ids: FilterIds): Promise<void> {
    await this.#table.get(ctx, this.keyOf(ids));
  }

  /** @throws DomainError 404 where the project has it not */
  remove(ctx: RequestContext, ids: FilterIds): Promise<void> {
    return this.#table.delete(ctx, this.keyOf(ids));
  }
}

const groups = new ResourceTable(EndpointGroup, 'endpoint group');

/** Groups of endpoints, and which projects have them, or single endpoints, in their catalog. */
@Injectable()
export class EndpointGroupsService extends ResourceService<EndpointGroup, CreateEndpointGroupDto> {
  protected readonly table = groups;

  readonly endpoints = new Association(
    ProjectEndpoint,
    'endpoint',
    'project_endpoints',
    (ids) => ({ projectId: asId(ids.project_id), endpointId: asId(ids.endpoint_id ?? '') }),
    ({ endpointId }) => endpointId,
  );

  readonly groups = new Association(
    ProjectEndpointGroup,
    'endpoint group',
    'project_endpoint_groups',
    (ids) => ({
      projectId: asId(ids.project_id),
      endpointGroupId: asId(ids.endpoint_group_id ?? ''),
    }),
    ({ endpointGroupId }) => endpointGroupId,
  );

  async endpointsOfGroup(ctx: RequestContext, id: string): Promise<Endpoint[]> {
    await groups.get(ctx, id);
    return endpointsIn(ctx, (bind) => `id IN (${endpointsOfGroup(bind(id))})`);
  }

  /** Those by themselves, and those of its groups. */
  async endpointsOfProject(ctx: RequestContext, id: string): Promise<Endpoint[]> {
    await requireProject(ctx, id);
    return endpointsIn(ctx, (bind) => `id IN (${endpointsOfProject(bind(id))})`);
  }

  async projectsOfGroup(ctx: RequestContext, id: string): Promise<Project[]> {
    await groups.get(ctx, id);
    return projectsIn(ctx, 'project_endpoint_groups WHERE endpoint_group_id', id);
  }

  async projectsOfEndpoint(ctx: RequestContext, id: string): Promise<Project[]> {
    await endpoints.get(ctx, id);
    return projectsIn(ctx, 'project_endpoints WHERE endpoint_id', id);
  }

  async groupsOfProject(ctx: RequestContext, id: string): Promise<EndpointGroup[]> {
    await requireProject(ctx, id);
    const theirs: Condition = (bind) =>
      `id IN (SELECT endpoint_group_id FROM project_endpoint_groups WHERE project_id = ${bind(id)})`;
    return groups.select(ctx, [theirs], 'ORDER BY name, id');
  }
}

function endpointsIn(ctx: RequestContext, which: Condition): Promise<Endpoint[]> {
  return endpoints.select(ctx, [which], 'ORDER BY service_id, region_id, id');
}

/** @param where the table that names projects, and the column that says which of them */
function projectsIn(ctx: RequestContext, where: string, id: string): Promise<Project[]> {
  const tail = `WHERE id IN (SELECT project_id FROM ${where} = $1) ORDER BY name, id`;
  return selectRows(ctx.manager, Project, tail, [id]);
}

async function requireProject(ctx: RequestContext, id: string): Promise<void> {
  const [found] = await selectRows(ctx.manager, Project, 'WHERE id = $1', [id]);
  if (!found) throw new NotFoundError('project', id);
}
