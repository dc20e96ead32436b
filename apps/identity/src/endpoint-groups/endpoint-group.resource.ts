/** Public source: Keystone API reference, "OS-EP-FILTER API". */
import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Id, ProjectId } from '@cumulet/common/context/ids';
import { CheckedField } from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { json, orNull, text, type FieldType } from '@cumulet/common/resources/field-type';
import {
  Endpoint,
  INTERFACES,
  type EndpointId,
  type Interface,
} from '../endpoints/endpoint.resource.js';
import { Project } from '../projects/project.resource.js';
import { idOf } from '../resource/resource.attributes.js';
import { ResourceColumns } from '../resource/resource.columns.js';
import { dtoOf, PageQuery, TextFilter } from '../resource/resource.dto.js';
import { LinksView, resourceViewOf } from '../resource/resource.view.js';

export type EndpointGroupId = Id<'EndpointGroup'>;

/** What all endpoints of a group have in common, named as on the wire. */
export interface EndpointFilters {
  readonly service_id?: string;
  readonly region_id?: string;
  readonly interface?: Interface;
}

const FILTERS = ['service_id', 'region_id', 'interface'];

/** At least one filter, none of them unknown. */
function areFilters(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const filters = Object.entries(value);
  const areKnown = filters.every(
    ([name, given]) =>
      typeof given === 'string' &&
      given.length <= 255 &&
      !given.includes('\0') &&
      FILTERS.includes(name) &&
      (name !== 'interface' || (INTERFACES as readonly string[]).includes(given)),
  );
  return areKnown && filters.length > 0;
}

const endpointFilters: FieldType<EndpointFilters> = {
  ...json(),
  field: (own) =>
    CheckedField(
      areFilters,
      `must hold at least one of ${FILTERS.join(', ')}, and an interface is one of ${INTERFACES.join(', ')}`,
      { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 },
      own,
    ),
};

export const ENDPOINT_GROUP = {
  id: idOf<EndpointGroupId>('endpoint_groups'),
  name: attribute(text(), { about: 'The name.', required: true }),
  description: attribute(orNull(text({ min: 0, max: 65_535 })), { about: 'A description.' }),
  filters: attribute(endpointFilters, {
    about: 'What all endpoints of the group have in common.',
    required: true,
  }),
} as const;

/** All endpoints that pass the filters, including those made later. */
@Entity('endpoint_groups')
export class EndpointGroup extends rowOf(ENDPOINT_GROUP, ResourceColumns) {}

export class CreateEndpointGroupDto extends dtoOf(ENDPOINT_GROUP) {}

export class ListEndpointGroupsQuery extends PageQuery {
  @TextFilter()
  name?: string;
}

export class EndpointGroupView extends resourceViewOf(ENDPOINT_GROUP) {}

/** The association of a project with a group of endpoints. */
export const ProjectEndpointGroupView = answerClass('ProjectEndpointGroupView', {
  endpoint_group_id: Shown(String, 'The group.'),
  project_id: Shown(String, 'The project.'),
  links: Shown(() => LinksView, 'Where this is found.'),
});

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
