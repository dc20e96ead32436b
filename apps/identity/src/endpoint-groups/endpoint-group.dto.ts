/** Endpoint groups on the wire. Public source: Keystone API reference, "OS-EP-FILTER API". */
import { CheckedField, StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { INTERFACES } from '../endpoints/endpoint.resource.js';
import { DescriptionField, PageQuery, ResourceDto, TextFilter } from '../resource/resource.dto.js';
import { LinksView, ResourceView } from '../resource/resource.view.js';
import type { EndpointFilters } from './endpoint-group.entity.js';

const FILTERS = ['service_id', 'region_id', 'interface'];

/** At least one filter, none of them unknown. */
function areFilters(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const filters = Object.entries(value);
  const areKnown = filters.every(
    ([name, text]) =>
      typeof text === 'string' &&
      text.length <= 255 &&
      !text.includes('\0') &&
      FILTERS.includes(name) &&
      (name !== 'interface' || (INTERFACES as readonly string[]).includes(text)),
  );
  return areKnown && filters.length > 0;
}

export class CreateEndpointGroupDto extends ResourceDto {
  @StringField()
  name: string;

  @DescriptionField()
  description?: string | null;

  @CheckedField(
    areFilters,
    `must hold at least one of ${FILTERS.join(', ')}, and an interface is one of ${INTERFACES.join(', ')}`,
    { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 },
  )
  filters: EndpointFilters;
}

export class ListEndpointGroupsQuery extends PageQuery {
  @TextFilter()
  name?: string;
}

export class EndpointGroupView extends ResourceView {
  @Shown(String, 'Its name.')
  name: string;

  @Shown(String, 'What it is, for people.', { nullable: true })
  description: string | null;

  @Shown(Object, 'What all of its endpoints have in common.')
  filters: EndpointFilters;
}

/** The association of a project with a group of endpoints. */
export class ProjectEndpointGroupView {
  @Shown(String, 'The group.')
  endpoint_group_id: string;

  @Shown(String, 'The project.')
  project_id: string;

  @Shown(() => LinksView, 'Where this is found.')
  links: LinksView;
}
