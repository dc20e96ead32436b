/** Bodies and queries. Public source: Keystone API reference, "Groups". */
import { StringField } from '@cumulet/common/http/fields';
import { ExtensibleField, ExtraProperties } from '../http/extra-fields.js';
import { PageQuery } from '../http/page.js';
import { ReadOnlyField } from '../http/read-only-field.js';
import type { Extra } from '../http/resource-options.js';

const NAME = { pattern: /\S/, patternText: 'must hold more than white space' } as const;
const ID = { optional: true, max: 64 } as const;

export class ListGroupsQuery extends PageQuery {
  @StringField({ optional: true })
  name?: string;

  @StringField(ID)
  domain_id?: string;
}

export class ListGroupsOfUserQuery {
  @StringField({ optional: true })
  name?: string;
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
