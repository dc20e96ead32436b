import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import type { ServerId } from '../server.entity.js';
import type { InstanceActionName } from './instance-action-names.js';

/** What a request has done to a server, and the one step in which a host did it. */
@Entity('instance_actions')
@Index('instance_actions_open_idx', ['serverId'], { where: '(finished_at IS NULL)' })
@Check('instance_actions_result_check', `result IN ('Success', 'Error')`)
export class InstanceAction {
  @PrimaryColumn('uuid', {
    name: 'server_id',
    primaryKeyConstraintName: 'instance_actions_pkey',
  })
  serverId: ServerId;

  @PrimaryColumn('text', {
    name: 'request_id',
    primaryKeyConstraintName: 'instance_actions_pkey',
  })
  requestId: string;

  @Column('text')
  action: InstanceActionName;

  /** The network card that alone it is about. */
  @Column('uuid', { name: 'nic_id', nullable: true })
  nicId: Id<'Nic'> | null;

  /** Null where the service itself acts. */
  @Column('text', { name: 'user_id', nullable: true })
  userId: string | null;

  @Column('text', { name: 'project_id', nullable: true })
  projectId: string | null;

  // As precise as a Date: what an answer shows, a filter finds.
  @Column({
    type: 'timestamptz',
    name: 'started_at',
    precision: 3,
    default: () => 'clock_timestamp()',
  })
  startedAt: Date;

  @Column({
    type: 'timestamptz',
    name: 'updated_at',
    precision: 3,
    default: () => 'clock_timestamp()',
  })
  updatedAt: Date;

  /** Null while it goes on. */
  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt: Date | null;

  /** What the host does of it; null where no host has a part. */
  @Column('text', { nullable: true })
  event: string | null;

  @Column('text', { nullable: true })
  result: 'Success' | 'Error' | null;

  /** Why it failed, for the server's owner. */
  @Column('text', { nullable: true })
  message: string | null;

  /** The host that did it. */
  @Column('text', { nullable: true })
  host: string | null;
}
