/** Public source: Keystone API reference, "Roles". */
import { Entity, ForeignKey, Index } from 'typeorm';
import type { DomainId, Id } from '@cumulet/common/context/ids';
import { Shown } from '@cumulet/common/http/shown';
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { orNull, text } from '@cumulet/common/resources/field-type';
import { Domain } from '../domains/domain.resource.js';
import { description, idOf, options, ResourceColumns } from '../resource/resource.attributes.js';
import { dtoOf, NamedQuery, TextFilter } from '../resource/resource.dto.js';
import { resourceView, resourceViewOf } from '../resource/resource.view.js';

export type RoleId = Id<'Role'>;

export const ROLE = {
  id: idOf<RoleId>('roles'),
  name: attribute(text({ pattern: /\S/, patternText: 'must not be blank' }), {
    about: 'The name by which services know it.',
    required: true,
  }),
  description: description(),
  /** Tokens have only what a role of a domain implies. */
  domainId: attribute(orNull(text<DomainId>({ max: 64 })), {
    about: 'The ID of the domain that owns it; null for a role of all domains.',
  }),
  options,
} as const;

/** Services know roles by name, assignments by ID. */
@Entity('roles')
@Index('roles_name_key', ['name'], { unique: true, where: 'domain_id IS NULL' })
@Index('roles_domain_name_key', ['domainId', 'name'], {
  unique: true,
  where: 'domain_id IS NOT NULL',
})
@ForeignKey(() => Domain, ['domainId'], ['id'], {
  name: 'roles_domain_id_fkey',
  onDelete: 'CASCADE',
})
export class Role extends rowOf(ROLE, ResourceColumns) {}

export class CreateRoleDto extends dtoOf(ROLE) {}

export class ListRolesQuery extends NamedQuery {
  @TextFilter({
    max: 64,
    description:
      'The ID of a domain whose roles to list; by default, the roles that no domain owns are listed.',
  })
  domain_id?: string;
}

export class RoleView extends resourceViewOf(ROLE, {
  name: Shown(String, ROLE.name.about, { example: 'member' }),
  description: Shown<Role>(String, 'A description.', {
    nullable: true,
    from: ({ description: given }) => given || null,
  }),
  options: Shown(Object, 'Options, such as `immutable`.'),
}) {}

export const roleView = resourceView<Omit<Role, 'createdAt'>>(RoleView, 'roles');
