/** Bodies and queries. Public source: Keystone API reference, "Groups". */
import { StringField } from '@cumulet/common/http/fields';
import { ExtensibleField, ExtraProperties } from '../http/extra-fields.js';
import { inexactFilters, InexactFilters } from '../http/inexact-filter.js';
import { PageQuery } from '../http/page.js';
import { ReadOnlyField } from '../http/read-only-field.js';
import type { Extra } from '../http/resource-options.js';
import type { GroupFilter } from './group.repository.js';

const NAME = { pattern: /\S/, patternText: 'must hold more than white space' } as const;
const ID = { optional: true, max: 64 } as const;

@InexactFilters('name', 'domain_id')
export class ListGroupsQuery extends PageQuery {
  @StringField({ optional: true })
  name?: string;

  @StringField(ID)
  domain_id?: string;
}

@InexactFilters('name')
export class ListGroupsOfUserQuery extends PageQuery {
  @StringField({ optional: true })
  name?: string;
}

export function groupFilter(query: ListGroupsOfUserQuery & { domain_id?: string }): GroupFilter {
  const { name, domain_id: domainId } = query;
  return { name, domainId, inexact: inexactFilters(query) };
}

class GroupFieldsDto {
  @StringField({ optional: true, nullable: true, min: 0, max: 65_535 })
  description?: string | null;

  @StringField(ID)
  domain_id?: string;

  @ReadOnlyField()
  links?: unknown;

  @ExtraProperties()
  extra?: Extra;
}

export class CreateGroupDto extends GroupFieldsDto {
  @StringField(NAME)
  name: string;

  @ReadOnlyField()
  id?: unknown;
}

export class CreateGroupBody {
  @ExtensibleField(() => CreateGroupDto)
  group: CreateGroupDto;
}

export class UpdateGroupDto extends GroupFieldsDto {
  @StringField({ ...NAME, optional: true })
  name?: string;

  @StringField(ID)
  id?: string;
}

export class UpdateGroupBody {
  @ExtensibleField(() => UpdateGroupDto)
  group: UpdateGroupDto;
}
