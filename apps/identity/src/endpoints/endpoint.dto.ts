import { BooleanField, CheckedField, EnumField, StringField } from '@cumulet/common/http/fields';
import { isUrlTemplate, LONGEST_URL, URL_NAMES } from '../catalog/url-template.js';
import { ExtensibleField, ExtraProperties } from '../http/extra-fields.js';
import { InexactFilters } from '../http/inexact-filter.js';
import { PageQuery } from '../http/page.js';
import { ReadOnlyField } from '../http/read-only-field.js';
import type { Extra } from '../http/resource-options.js';
import { INTERFACES, type Interface } from './endpoint.entity.js';

function UrlField(options: { readonly optional: boolean }): PropertyDecorator {
  return CheckedField(
    isUrlTemplate,
    `must be an http or https URL of at most ${LONGEST_URL} characters, in which $(…)s and %(…)s name one of ${URL_NAMES.join(', ')}`,
    { type: 'string', maxLength: LONGEST_URL, example: 'https://cloud.example/v1/%(project_id)s' },
    options,
  );
}

class EndpointFieldsDto {
  /** Drawn at creation, whatever is sent; a change must not name another. */
  @StringField({ optional: true, nullable: true })
  id?: string | null;

  @StringField({ optional: true, nullable: true })
  region_id?: string | null;

  /** The former name of `region_id`. A region that it names is made where there is none. */
  @StringField({ optional: true, nullable: true })
  region?: string | null;

  /** False takes it out of the catalog. */
  @BooleanField({ optional: true })
  enabled?: boolean;

  @ReadOnlyField()
  links?: unknown;

  @ExtraProperties()
  extra?: Extra;
}

export class CreateEndpointDto extends EndpointFieldsDto {
  @EnumField(INTERFACES)
  interface: Interface;

  @StringField({ max: 64 })
  service_id: string;

  @UrlField({ optional: false })
  url: string;
}

export class UpdateEndpointDto extends EndpointFieldsDto {
  @EnumField(INTERFACES, { optional: true })
  interface?: Interface;

  @StringField({ max: 64, optional: true })
  service_id?: string;

  @UrlField({ optional: true })
  url?: string;
}

export class CreateEndpointBody {
  @ExtensibleField(() => CreateEndpointDto)
  endpoint: CreateEndpointDto;
}

export class UpdateEndpointBody {
  @ExtensibleField(() => UpdateEndpointDto)
  endpoint: UpdateEndpointDto;
}

@InexactFilters('interface', 'service_id', 'region_id')
export class ListEndpointsQuery extends PageQuery {
  @EnumField(INTERFACES, { optional: true })
  interface?: Interface;

  @StringField({ optional: true })
  service_id?: string;

  @StringField({ optional: true })
  region_id?: string;
}
