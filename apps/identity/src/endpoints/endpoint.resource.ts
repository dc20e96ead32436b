/** Endpoints on the wire. Public source: Keystone API reference, "Service catalog and endpoints". */
import { BooleanField, CheckedField, EnumField, StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { SortedBy } from '@cumulet/common/tables/listing';
import { isUrlTemplate, MAX_URL_LENGTH, URL_NAMES } from './url-template.js';
import { PageQuery, ResourceDto, TextFilter } from '../resource/resource.dto.js';
import { ResourceView } from '../resource/resource.view.js';
import { INTERFACES, type Endpoint, type Interface } from './endpoint.entity.js';

const URL_RULE = `must be an http or https URL of at most ${MAX_URL_LENGTH} characters, in which $(…)s and %(…)s name one of ${URL_NAMES.join(', ')}`;

export class CreateEndpointDto extends ResourceDto {
  @EnumField(INTERFACES)
  interface: Interface;

  @StringField({ max: 64 })
  service_id: string;

  @CheckedField(isUrlTemplate, URL_RULE, {
    type: 'string',
    maxLength: MAX_URL_LENGTH,
    example: 'https://cloud.example/v1/%(project_id)s',
  })
  url: string;

  @StringField({ optional: true, nullable: true })
  region_id?: string | null;

  @StringField({
    optional: true,
    nullable: true,
    description: 'The former name of `region_id`. A region that it names is made if it is missing.',
  })
  region?: string | null;

  @BooleanField({ optional: true, description: 'False takes it out of the catalog.' })
  enabled?: boolean;
}

@SortedBy(['serviceId', 'regionId', '-interface', 'id'])
export class ListEndpointsQuery extends PageQuery {
  @EnumField(INTERFACES, { optional: true })
  @TextFilter()
  interface?: Interface;

  @TextFilter()
  service_id?: string;

  @TextFilter()
  region_id?: string;
}

export class EndpointView extends ResourceView {
  @Shown(String, 'Whom it is for.', { enum: INTERFACES })
  interface: Interface;

  @Shown(String, 'The service that is found there.')
  service_id: string;

  @Shown(String, 'The region that it serves.', { nullable: true })
  region_id: string | null;

  @Shown(String, 'The same, by its former name.', {
    nullable: true,
    from: ({ regionId }: Endpoint) => regionId,
  })
  region: string | null;

  @Shown(String, 'Its address; the catalog replaces what it names in parentheses.')
  url: string;

  @Shown(Boolean, 'Whether it is in the catalog.')
  enabled: boolean;
}
