/** Public source: Keystone API reference, "Roles". */
import { Entity, ForeignKey, Index } from 'typeorm';
import type { DomainId, Id } from '@cumulet/common/context/ids';
import { Shown } from '@cumulet/common/http/shown';
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { orNull, text } from '@cumulet/common/resources/field-type';
import { Domain } from '../domains/domain.resource.js';
import { description, idOf, options } from '../resource/resource.attributes.js';
import { ResourceColumns } from '../resource/resource.columns.js';
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
  /** A role of a domain is in no token, only what it implies is. */
  domainId: attribute(orNull(text<DomainId>({ max: 64 })), {
    about: 'The ID of the domain that owns it, for good; null for a role of all domains.',
  }),
  options,
} as const;

/** What a user may do, by name; services know the names, assignments the ids. */
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
    description: 'Roles of this domain; without it, the roles of all domains.',
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
