/** Roles on the wire. Public source: Keystone API reference, "Roles". */
import { ObjectField, StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import {
  DescriptionField,
  NamedQuery,
  ResourceDto,
  ResourceOptionsDto,
  TextFilter,
} from '../resource/resource.dto.js';
import { ResourceView, resourceView } from '../resource/resource.view.js';
import type { Role } from './role.entity.js';

export class CreateRoleDto extends ResourceDto {
  @StringField({ pattern: /\S/, patternText: 'must not be blank' })
  name: string;

  @DescriptionField()
  description?: string | null;

  @StringField({
    max: 64,
    optional: true,
    nullable: true,
    description: 'Makes it a role of this domain, for good.',
  })
  domain_id?: string | null;

  @ObjectField(() => ResourceOptionsDto, { optional: true })
  options?: ResourceOptionsDto;
}

export class ListRolesQuery extends NamedQuery {
  @TextFilter({
    max: 64,
    description: 'Roles of this domain; without it, the roles of all domains.',
  })
  domain_id?: string;
}

export class RoleView extends ResourceView {
  @Shown(String, 'What services know it by.', { example: 'member' })
  name: string;

  @Shown(String, 'The domain that it is of; null for a role of all domains.', { nullable: true })
  domain_id: string | null;

  @Shown(String, 'What it is for.', {
    nullable: true,
    from: ({ description }: Role) => description || null,
  })
  description: string | null;

  @Shown(Object, 'Options such as `immutable`.')
  options: object;
}

export const roleView = resourceView<Omit<Role, 'createdAt'>>(RoleView, 'roles');
