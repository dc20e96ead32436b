/** Public source: Keystone API reference, "Service catalog and endpoints". */
import { Entity, Index } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import { Shown } from '@cumulet/common/http/shown';
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, text } from '@cumulet/common/resources/field-type';
import { SortedBy } from '@cumulet/common/tables/listing';
import { description, idOf, resettable, ResourceColumns } from '../resource/resource.attributes.js';
import { dtoOf, PageQuery, TextFilter } from '../resource/resource.dto.js';
import { resourceViewOf } from '../resource/resource.view.js';

export type ServiceId = Id<'Service'>;

export const SERVICE = {
  id: idOf<ServiceId>('services'),
  type: attribute(text(), {
    about: 'The type by which clients find it in the catalog.',
    example: 'compute',
    required: true,
  }),
  name: attribute(resettable(text({ min: 0 })), {
    about: 'The name, for people.',
    default: '',
  }),
  description: description(),
  enabled: attribute(flag(), { about: 'Whether it is in the catalog.', default: true }),
} as const;

@Entity('services')
@Index('services_type_idx', ['type'])
export class Service extends rowOf(SERVICE, ResourceColumns) {}

export class CreateServiceDto extends dtoOf(SERVICE) {}

@SortedBy(['type', 'name'])
export class ListServicesQuery extends PageQuery {
  @TextFilter()
  type?: string;

  @TextFilter()
  name?: string;
}

export class ServiceView extends resourceViewOf(SERVICE, {
  name: Shown(String, SERVICE.name.about, { example: 'nova' }),
}) {}
