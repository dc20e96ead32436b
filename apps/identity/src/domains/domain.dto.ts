/** Domains on the wire. Public source: Keystone API reference, "Domains". */
import { BooleanField, ObjectField, StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { FilteredBy } from '@cumulet/common/tables/listing';
import {
  DescriptionField,
  NamedQuery,
  NameField,
  ResourceDto,
  ResourceOptionsDto,
  TagsField,
} from '../resource/resource.dto.js';
import { ResourceView, resourceView } from '../resource/resource.view.js';
import type { Domain } from './domain.entity.js';

export class ListDomainsQuery extends NamedQuery {
  @FilteredBy()
  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;
}

/** What a client can set of a domain. */
export class DomainDto extends ResourceDto {
  @NameField({ max: 64 })
  name: string;

  @DescriptionField({ max: 255 })
  description?: string | null;

  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;

  @TagsField({ optional: true })
  tags?: string[];

  @ObjectField(() => ResourceOptionsDto, { optional: true })
  options?: ResourceOptionsDto;
}

export class CreateDomainDto extends DomainDto {
  @StringField({
    optional: true,
    nullable: true,
    pattern: /^[0-9a-f]{32}$/,
    patternText: 'must be a UUID in lower case, without dashes',
    description: 'The id that the domain is to have; drawn where it is left out.',
  })
  explicit_domain_id?: string | null;
}

export class DomainView extends ResourceView {
  @Shown(String, 'Unique in the cloud.')
  name: string;

  @Shown(String, 'What it is, for people.')
  description: string;

  @Shown(Boolean, 'Whether tokens can be of it, and of its users and projects.')
  enabled: boolean;

  @Shown([String], 'Words that it is found by.')
  tags: string[];

  @Shown(() => ResourceOptionsDto, 'What it is protected from.')
  options: ResourceOptionsDto;
}

export const domainView = resourceView<Domain>(DomainView, 'domains');
