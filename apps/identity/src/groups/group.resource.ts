/** Public source: Keystone API reference, "Groups". */
import { Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Id, UserId } from '@cumulet/common/context/ids';
import { Shown } from '@cumulet/common/http/shown';
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { Domain } from '../domains/domain.resource.js';
import {
  description,
  domainIdOfOwner,
  idOf,
  name,
  ResourceColumns,
} from '../resource/resource.attributes.js';
import { dtoOf, NamedQuery, TextFilter } from '../resource/resource.dto.js';
import { resourceViewOf } from '../resource/resource.view.js';
import { User } from '../users/user.resource.js';

export type GroupId = Id<'Group'>;

export const GROUP = {
  id: idOf<GroupId>('groups'),
  name: attribute(name(), { about: 'The name, unique in the domain.', required: true }),
  description: description(),
  domainId: domainIdOfOwner,
} as const;

@Entity('groups')
@Unique('groups_domain_name_key', ['domainId', 'name'])
@Index('groups_page_idx', ['name', 'id'])
@ForeignKey(() => Domain, ['domainId'], ['id'], {
  name: 'groups_domain_id_fkey',
  onDelete: 'CASCADE',
})
export class Group extends rowOf(GROUP, ResourceColumns) {}

@Entity('group_members')
export class GroupMember {
  @PrimaryColumn('text', { name: 'group_id', primaryKeyConstraintName: 'group_members_pkey' })
  @ForeignKey(() => Group, { name: 'group_members_group_id_fkey', onDelete: 'CASCADE' })
  groupId: GroupId;

  @PrimaryColumn('text', { name: 'user_id', primaryKeyConstraintName: 'group_members_pkey' })
  @ForeignKey(() => User, { name: 'group_members_user_id_fkey', onDelete: 'CASCADE' })
  @Index('group_members_user_id_idx')
  userId: UserId;
}

export class ListGroupsQuery extends NamedQuery {
  @TextFilter({ max: 64 })
  domain_id?: string;
}

export class GroupDto extends dtoOf(GROUP) {}

export class GroupView extends resourceViewOf(GROUP) {}

export class GroupOfUserView extends GroupView {
  @Shown(String, 'Always null: memberships do not expire.', {
    nullable: true,
    from: () => null,
  })
  membership_expires_at: null;
}
