import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { DomainId, Id, UserId } from '@cumulet/common/context/ids';
import { Domain } from '../domains/domain.entity.js';
import { NamedColumns } from '../resource/resource.columns.js';
import { User } from '../users/user.entity.js';

export type GroupId = Id<'Group'>;

/** Users that have roles together. */
@Entity('groups')
@Unique('groups_domain_name_key', ['domainId', 'name'])
@Index('groups_page_idx', ['name', 'id'])
export class Group extends NamedColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'groups_pkey' })
  id: GroupId;

  @Column('text', { name: 'domain_id' })
  @ForeignKey(() => Domain, { name: 'groups_domain_id_fkey', onDelete: 'CASCADE' })
  domainId: DomainId;
}

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
