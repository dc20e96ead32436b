import { ObjectField, StringField } from '@cumulet/common/http/fields';
import {
  ExtensibleField,
  type Extra,
  ExtraProperties,
  ReadOnlyField,
} from '../resource/extra-fields.js';
import { ResourceOptionsDto } from '../resource/resource.options.js';
import { InexactFilters } from '../http/inexact-filter.js';
import { PageQuery } from '../http/page.js';

const NAME = { pattern: /\S/, patternText: 'must not be blank' } as const;
const DESCRIPTION = { min: 0, max: 65_535, optional: true, nullable: true } as const;

@InexactFilters('name', 'domain_id')
export class ListRolesQuery extends PageQuery {
  @StringField({ optional: true })
  name?: string;

  @StringField({
    max: 64,
    optional: true,
    description: 'Roles of this domain; without it, the roles of all domains.',
  })
  domain_id?: string;
}

class RoleFieldsDto {
  @StringField(DESCRIPTION)
  description?: string | null;

  @StringField({
    max: 64,
    optional: true,
    nullable: true,
    description: 'Makes it a role of this domain; cannot be another than it is.',
  })
  domain_id?: string | null;

  @ObjectField(() => ResourceOptionsDto, { optional: true })
  options?: ResourceOptionsDto;

  @ReadOnlyField()
  links?: unknown;

  @ExtraProperties()
  extra?: Extra;
}

export class CreateRoleDto extends RoleFieldsDto {
  @StringField(NAME)
  name: string;

  @ReadOnlyField()
  id?: unknown;
}

export class CreateRoleBody {
  @ExtensibleField(() => CreateRoleDto)
  role: CreateRoleDto;
}

export class UpdateRoleDto extends RoleFieldsDto {
  @StringField({ ...NAME, optional: true })
  name?: string;

  @StringField({ max: 64, optional: true })
  id?: string;
}

export class UpdateRoleBody {
  @ExtensibleField(() => UpdateRoleDto)
  role: UpdateRoleDto;
}
