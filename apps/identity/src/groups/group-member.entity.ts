import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '@cumulet/common/context/ids';
import { User } from '../users/user.entity.js';
import { Group, type GroupId } from './group.entity.js';

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
