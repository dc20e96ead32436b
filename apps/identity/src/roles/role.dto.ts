import { ObjectField, StringField } from '@cumulet/common/http/fields';
import { ResourceOptionsDto } from '../http/option-fields.js';

const NAME = { pattern: /\S/, patternText: 'must not be blank' } as const;
const DESCRIPTION = { min: 0, max: 65_535, optional: true, nullable: true } as const;
const DOMAIN_ID = { max: 64, optional: true, nullable: true } as const;

export class ListRolesQuery {
  @StringField({ optional: true })
  name?: string;

  @StringField({
    max: 64,
    optional: true,
    description: 'Roles of this domain; without it, the roles of all domains.',
  })
  domain_id?: string;
}

export class CreateRoleDto {
  @StringField(NAME)
  name: string;

  @StringField(DESCRIPTION)
  description?: string | null;

  @StringField({ ...DOMAIN_ID, description: 'Makes it a role of this domain.' })
  domain_id?: string | null;

  @ObjectField(() => ResourceOptionsDto, { optional: true })
  options?: ResourceOptionsDto;
}

export class CreateRoleBody {
  @ObjectField(() => CreateRoleDto)
  role: CreateRoleDto;
}

export class UpdateRoleDto {
  @StringField({ ...NAME, optional: true })
  name?: string;

  @StringField(DESCRIPTION)
  description?: string | null;

  @StringField({ ...DOMAIN_ID, description: 'Cannot be another than it is.' })
  domain_id?: string | null;

  @ObjectField(() => ResourceOptionsDto, { optional: true })
  options?: ResourceOptionsDto;
}

export class UpdateRoleBody {
  @ObjectField(() => UpdateRoleDto)
  role: UpdateRoleDto;
}
