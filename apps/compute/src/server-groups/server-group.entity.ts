import { Check, Column, Entity, Index, PrimaryColumn, VirtualColumn, ForeignKey } from 'typeorm';
import type { ProjectId } from '@cumulet/common/context/ids';
import { Server } from '../servers/server.entity.js';

export const HARD_POLICIES = ['affinity', 'anti-affinity'] as const;
export const POLICIES = [...HARD_POLICIES, 'soft-affinity', 'soft-anti-affinity'] as const;
export type Policy = (typeof POLICIES)[number];

/** Servers of a project that are to be on one host, or on different ones. */
@Entity('server_groups')
@Index('server_groups_project_idx', ['projectId'])
@Check('server_groups_policy_check', `policy IN (${POLICIES.map((one) => `'${one}'`).join(', ')})`)
@Check(
  'server_groups_rules_check',
  `max_per_host IS NULL OR (max_per_host > 0 AND policy = 'anti-affinity')`,
)
export class ServerGroup {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'server_groups_pkey' })
  id: string;

  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  @Column('text', { name: 'user_id' })
  userId: string;

  @Column('text')
  name: string;

  @Column('text')
  policy: Policy;

  /** How many of its servers may share a host, where the policy is against that. */
  @Column('integer', { name: 'max_per_host', nullable: true })
  maxPerHost: number | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @VirtualColumn('text', {
    query: () =>
      `ARRAY(SELECT server_id::text FROM server_group_members WHERE group_id = server_groups.id
              ORDER BY server_id)`,
  })
  members: string[];
}

/** A server of a group. It leaves with its row, and is in one group at most. */
@Entity('server_group_members')
@Index('server_group_members_group_idx', ['groupId'])
export class ServerGroupMember {
  @PrimaryColumn('uuid', {
    name: 'server_id',
    primaryKeyConstraintName: 'server_group_members_pkey',
  })
  @ForeignKey(() => Server, { name: 'server_group_members_server_fkey', onDelete: 'CASCADE' })
  serverId: string;

  @Column('uuid', { name: 'group_id' })
  @ForeignKey(() => ServerGroup, { name: 'server_group_members_group_fkey', onDelete: 'CASCADE' })
  groupId: string;
}
