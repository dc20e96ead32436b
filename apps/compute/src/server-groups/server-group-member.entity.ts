import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Server } from '../servers/server.entity.js';
import { ServerGroup } from './server-group.entity.js';

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
