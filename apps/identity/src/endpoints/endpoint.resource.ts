/** Public source: Keystone API reference, "Service catalog and endpoints". */
import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import { EnumField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { attribute, givenOnly } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { checked, choice, flag, orNull, text } from '@cumulet/common/resources/field-type';
import { SortedBy } from '@cumulet/common/tables/listing';
import { Region, type RegionId } from '../regions/region.resource.js';
import { idOf, ResourceColumns } from '../resource/resource.attributes.js';
import { dtoOf, PageQuery, TextFilter } from '../resource/resource.dto.js';
import { resourceViewOf } from '../resource/resource.view.js';
import { Service, type ServiceId } from '../services/service.resource.js';
import { isUrlTemplate, MAX_URL_LENGTH, URL_NAMES } from './url-template.js';

export type EndpointId = Id<'Endpoint'>;

export const INTERFACES = ['public', 'internal', 'admin'] as const;
export type Interface = (typeof INTERFACES)[number];

const urlTemplate = checked(
  isUrlTemplate,
  `must be an http or https URL of at most ${MAX_URL_LENGTH} characters, in which $(…)s and %(…)s name one of ${URL_NAMES.join(', ')}`,
  {
    type: 'string',
    maxLength: MAX_URL_LENGTH,
    example: 'https://cloud.example/v1/%(project_id)s',
  },
);

export const ENDPOINT = {
  id: idOf<EndpointId>('endpoints'),
  interface: attribute(choice(INTERFACES), { about: 'Who the endpoint is for.', required: true }),
  serviceId: attribute(text<ServiceId>({ max: 64 }), {
    about: 'The ID of the service.',
    required: true,
  }),
  regionId: attribute(orNull(text<RegionId>()), { about: 'The ID of the region.' }),
  region: givenOnly(orNull(text()), {
    about: 'The former name of `region_id`. A missing region is created.',
  }),
  url: attribute(urlTemplate, {
    about: 'The URL. The catalog fills in names in parentheses, such as `%(project_id)s`.',
    required: true,
  }),
  enabled: attribute(flag(), { about: 'Whether it is in the catalog.', default: true }),
} as const;

@Entity('endpoints')
@Check('endpoints_interface_check', `interface IN ('public', 'internal', 'admin')`)
@Index('endpoints_service_id_idx', ['serviceId'])
@Index('endpoints_region_id_idx', ['regionId'])
@ForeignKey(() => Service, ['serviceId'], ['id'], {
  name: 'endpoints_service_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Region, ['regionId'], ['id'], { name: 'endpoints_region_id_fkey' })
export class Endpoint extends rowOf(ENDPOINT, ResourceColumns) {
  /**
   * The URL of the setting from which it was last set; null for endpoints without a setting. A URL that
   * was changed by hand stays until the setting changes too.
   */
  @Column('text', { name: 'setting_url', nullable: true, select: false })
  settingUrl: string | null;
}

export class CreateEndpointDto extends dtoOf(ENDPOINT) {}

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

export class EndpointView extends resourceViewOf(ENDPOINT, {
  region: Shown<Endpoint>(String, 'The same as `region_id`, by its former name.', {
    nullable: true,
    from: ({ regionId }) => regionId,
  }),
}) {}
