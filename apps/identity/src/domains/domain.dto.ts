/** Bodies and queries. Public source: Keystone API reference, "Domains". */
import { BooleanField, ObjectField, StringField } from '@cumulet/common/http/fields';
import { InexactFilters } from '../http/inexact-filter.js';
import { ResourceOptionsDto } from '../http/option-fields.js';
import { PageQuery } from '../http/page.js';
import { ReadOnlyField } from '../http/read-only-field.js';
import { TagsField } from '../http/tags.js';

const NAME = { max: 64, pattern: /\S/, patternText: 'must hold more than white space' } as const;

@InexactFilters('name')
export class ListDomainsQuery extends PageQuery {
  @StringField({ optional: true })
  name?: string;

  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;
}

/** What can be given to a domain and changed of it. */
export class DomainFieldsDto {
  @StringField({ optional: true, nullable: true, min: 0 })
  description?: string | null;

  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;

  @TagsField({ optional: true })
  tags?: string[];

  @ObjectField(() => ResourceOptionsDto, { optional: true })
  options?: ResourceOptionsDto;

  @ReadOnlyField()
  links?: unknown;
}

export class CreateDomainDto extends DomainFieldsDto {
  @StringField(NAME)
  name: string;

  @StringField({
    optional: true,
    nullable: true,
    pattern: /^[0-9a-f]{32}$/,
    patternText: 'must be a UUID in lower case, without dashes',
    description: 'The id that the domain is to have; drawn where it is left out.',
  })
  explicit_domain_id?: string | null;

  @ReadOnlyField()
  id?: unknown;
}

export class CreateDomainBody {
  @ObjectField(() => CreateDomainDto)
  domain: CreateDomainDto;
}

export class UpdateDomainDto extends DomainFieldsDto {
  @StringField({ ...NAME, optional: true })
  name?: string;

  @StringField({ optional: true, max: 64 })
  id?: string;
}

export class UpdateDomainBody {
  @ObjectField(() => UpdateDomainDto)
  domain: UpdateDomainDto;
}
