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
import { idOf, ResourceColumns } from '../resource/resource.attributes.js';
import { dtoOf, PageQuery, TextFilter } from '../resource/resource.dto.js';
import { LinksView, resourceViewOf } from '../resource/resource.view.js';

export type EndpointGroupId = Id<'EndpointGroup'>;

/** Named as on the wire. */
export interface EndpointFilters {
  readonly service_id?: string;
  readonly region_id?: string;
  readonly interface?: Interface;
}

const FILTERS = ['service_id', 'region_id', 'interface'];

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
      `must have at least one of ${FILTERS.join(', ')}, and nothing else; interface must be one of ${INTERFACES.join(', ')}`,
      { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 },
      own,
    ),
};

export const ENDPOINT_GROUP = {
  id: idOf<EndpointGroupId>('endpoint_groups'),
  name: attribute(text(), { about: 'The name.', required: true }),
  description: attribute(orNull(text({ min: 0, max: 65_535 })), { about: 'A description.' }),
  filters: attribute(endpointFilters, {
    about: 'The properties that all endpoints of the group have.',
    required: true,
  }),
} as const;

/** All endpoints that match the filters, including later ones. */
@Entity('endpoint_groups')
export class EndpointGroup extends rowOf(ENDPOINT_GROUP, ResourceColumns) {}

export class CreateEndpointGroupDto extends dtoOf(ENDPOINT_GROUP) {}

export class ListEndpointGroupsQuery extends PageQuery {
  @TextFilter()
  name?: string;
}

export class EndpointGroupView extends resourceViewOf(ENDPOINT_GROUP) {}

export const ProjectEndpointGroupView = answerClass('ProjectEndpointGroupView', {
  endpoint_group_id: Shown(String, 'The ID of the endpoint group.'),
  project_id: Shown(String, 'The ID of the project.'),
  links: Shown(() => LinksView, 'Links to the association.'),
});

const ENDPOINT_KEY = { primaryKeyConstraintName: 'project_endpoints_pkey' };
const GROUP_KEY = { primaryKeyConstraintName: 'project_endpoint_groups_pkey' };

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

/** SQL: the properties of an endpoint that filters compare. */
const AS_FILTERED = `jsonb_build_object('service_id', endpoints.service_id,
  'region_id', endpoints.region_id, 'interface', endpoints.interface)`;

/** SQL: IDs of the endpoints of a group. @param id its placeholder */
export function endpointsOfGroup(id: string): string {
  return `SELECT endpoints.id FROM endpoint_groups JOIN endpoints ON ${AS_FILTERED} @> filters
           WHERE endpoint_groups.id = ${id}`;
}

/** SQL: IDs of the endpoints of a project, directly or by a group. */
export function endpointsOfProject(id: string): string {
  return `SELECT endpoint_id AS id FROM project_endpoints WHERE project_id = ${id}
          UNION
          SELECT endpoints.id FROM project_endpoint_groups
            JOIN endpoint_groups ON endpoint_groups.id = endpoint_group_id
            JOIN endpoints ON ${AS_FILTERED} @> filters
           WHERE project_id = ${id}`;
}
