/** Public source: Keystone API reference, "Domains". */
import { Entity, Unique } from 'typeorm';
import type { DomainId } from '@cumulet/common/context/ids';
import { BooleanField, StringField } from '@cumulet/common/http/fields';
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag } from '@cumulet/common/resources/field-type';
import { FilteredBy } from '@cumulet/common/tables/listing';
import {
  description,
  idOf,
  name,
  options,
  ResourceColumns,
  tags,
} from '../resource/resource.attributes.js';
import { dtoOf, NamedQuery } from '../resource/resource.dto.js';
import { resourceView, resourceViewOf } from '../resource/resource.view.js';

export const DOMAIN = {
  id: idOf<DomainId>('domains'),
  name: attribute(name({ max: 64 }), { about: 'The name, unique in the cloud.', required: true }),
  description: description({ max: 255 }),
  enabled: attribute(flag({ fromText: true }), {
    about: 'Whether tokens can be issued for the domain, its users and its projects.',
    default: true,
  }),
  tags,
  options,
} as const;

@Entity('domains')
@Unique('domains_name_key', ['name'])
export class Domain extends rowOf(DOMAIN, ResourceColumns) {}

export class ListDomainsQuery extends NamedQuery {
  @FilteredBy()
  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;
}

export class DomainDto extends dtoOf(DOMAIN) {}

export class CreateDomainDto extends DomainDto {
  @StringField({
    optional: true,
    nullable: true,
    pattern: /^[0-9a-f]{32}$/,
    patternText: 'must be a UUID in lower case, without dashes',
    description: 'The ID of the new domain; by default, a random one.',
  })
  explicit_domain_id?: string | null;
}

export class DomainView extends resourceViewOf(DOMAIN) {}

export const domainView = resourceView<Domain>(DomainView, 'domains');
