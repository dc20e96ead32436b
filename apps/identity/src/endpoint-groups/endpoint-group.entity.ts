import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Id, ProjectId } from '@cumulet/common/context/ids';
import { Endpoint, type EndpointId, type Interface } from '../endpoints/endpoint.resource.js';
import { Project } from '../projects/project.entity.js';
import { ResourceColumns } from '../resource/resource.columns.js';

export type EndpointGroupId = Id<'EndpointGroup'>;

/** What all endpoints of a group have in common, named as on the wire. */
export interface EndpointFilters {
  readonly service_id?: string;
  readonly region_id?: string;
  readonly interface?: Interface;
}

/** All endpoints that pass the filters, including those made later. */
@Entity('endpoint_groups')
export class EndpointGroup extends ResourceColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'endpoint_groups_pkey' })
  id: EndpointGroupId;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('jsonb')
  filters: EndpointFilters;
}

const ENDPOINT_KEY = { primaryKeyConstraintName: 'project_endpoints_pkey' };
const GROUP_KEY = { primaryKeyConstraintName: 'project_endpoint_groups_pkey' };

/** An endpoint in the catalog of a project. */
@Entity('project_endpoints')
export class ProjectEndpoint {
  @PrimaryColumn('text', { ...ENDPOINT_KEY, name: 'project_id' })
  @ForeignKey(() => Project, { name: 'project_endpoints_project_id_fkey', onDelete: 'CASCADE' })
  projectId: ProjectId;

  @PrimaryColumn('text', { ...ENDPOINT_KEY, name: 'endpoint_id' })
  @ForeignKey(() => Endpoint, { name: 'project_endpoints_endpoint_id_fkey', onDelete: 'CASCADE' })
  @Index('project_endpoints_endpoint_id_idx')
  endpointId: EndpointId;
}

/** A group whose endpoints are in the catalog of a project. */
@Entity('project_endpoint_groups')
export class ProjectEndpointGroup {
  @PrimaryColumn('text', { ...GROUP_KEY, name: 'project_id' })
  @ForeignKey(() => Project, {
    name: 'project_endpoint_groups_project_id_fkey',
    onDelete: 'CASCADE',
  })
  projectId: ProjectId;

  @PrimaryColumn('text', { ...GROUP_KEY, name: 'endpoint_group_id' })
  @ForeignKey(() => EndpointGroup, {
    name: 'project_endpoint_groups_endpoint_group_id_fkey',
    onDelete: 'CASCADE',
  })
  @Index('project_endpoint_groups_endpoint_group_id_idx')
  endpointGroupId: EndpointGroupId;
}

/** SQL of an endpoint as the filters of a group see it. */
const AS_FILTERED = `jsonb_build_object('service_id', endpoints.service_id,
  'region_id', endpoints.region_id, 'interface', endpoints.interface)`;

/** SQL: ids of the endpoints that pass the filters of a group. @param id its placeholder */
export function endpointsOfGroup(id: string): string {
  return `SELECT endpoints.id FROM endpoint_groups JOIN endpoints ON ${AS_FILTERED} @> filters
           WHERE endpoint_groups.id = ${id}`;
}

/** SQL: ids of the endpoints that a project was given, directly or by a group. */
export function endpointsOfProject(id: string): string {
  return `SELECT endpoint_id AS id FROM project_endpoints WHERE project_id = ${id}
          UNION
          SELECT endpoints.id FROM project_endpoint_groups
            JOIN endpoint_groups ON endpoint_groups.id = endpoint_group_id
            JOIN endpoints ON ${AS_FILTERED} @> filters
           WHERE project_id = ${id}`;
}
