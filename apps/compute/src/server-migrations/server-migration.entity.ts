import { Check, Column, Entity, Generated, Index, PrimaryColumn, Unique } from 'typeorm';
import type { ServerId } from '../servers/server.entity.js';

export const MIGRATION_TYPES = ['resize', 'migration', 'live-migration', 'evacuation'] as const;
export type MigrationType = (typeof MIGRATION_TYPES)[number];

/**
 * What moves a server to another host, flavor or both. A trigger on servers writes its status, which is
 * Nova's; it outlives the server until the archive forgets that.
 */
@Entity('server_migrations')
@Unique('server_migrations_uuid_key', ['uuid'])
@Index('server_migrations_page_idx', ['createdAt', 'id'])
@Index('server_migrations_server_idx', ['serverId', 'createdAt', 'id'])
@Index('server_migrations_status_idx', ['status', 'createdAt', 'id'])
@Index('server_migrations_source_idx', ['sourceHost', 'createdAt', 'id'])
@Index('server_migrations_dest_idx', ['destHost', 'createdAt', 'id'])
@Index('server_migrations_project_idx', ['projectId', 'createdAt', 'id'])
@Index('server_migrations_open_idx', ['serverId'], {
  where: `(status <> ALL ('{confirmed,reverted,error,done,failed,completed,cancelled}'::text[]))`,
})
@Check(
  'server_migrations_type_check',
  `type IN ('resize', 'migration', 'live-migration', 'evacuation')`,
)
export class ServerMigration {
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'server_migrations_pkey' })
  @Generated('increment')
  id: number;

  @Column('uuid')
  uuid: string;

  @Column('uuid', { name: 'server_id' })
  serverId: ServerId;

  @Column('text')
  type: MigrationType;

  @Column('text')
  status: string;

  @Column('text', { name: 'source_host', nullable: true })
  sourceHost: string | null;

  /** Null until one is chosen. */
  @Column('text', { name: 'dest_host', nullable: true })
  destHost: string | null;

  @Column('text', { name: 'dest_address', nullable: true })
  destAddress: string | null;

  /** The numbers of the flavors; null for one that was deleted by then. */
  @Column('integer', { name: 'old_flavor', nullable: true })
  oldFlavor: number | null;

  @Column('integer', { name: 'new_flavor', nullable: true })
  newFlavor: number | null;

  /** Who asked for it. */
  @Column('text', { name: 'user_id', nullable: true })
  userId: string | null;

  @Column('text', { name: 'project_id', nullable: true })
  projectId: string | null;

  // Lists page by these times: they are as precise as a Date, or a marker would miss its row.
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
