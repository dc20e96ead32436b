import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { ServerId } from '../server.entity.js';

/** A server that was deleted. A trigger writes it when the server's row is removed. */
@Entity('deleted_servers')
@Index('deleted_servers_project_page_idx', ['projectId', 'createdAt', 'id'])
@Index('deleted_servers_page_idx', ['createdAt', 'id'])
@Index('deleted_servers_time_idx', ['deletedAt'])
export class DeletedServer {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'deleted_servers_pkey' })
  id: ServerId;

  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'launched_at', precision: 3, nullable: true })
  launchedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, default: () => 'now()' })
  deletedAt: Date;

  /** Its last row by the names of the columns, without what its guest was given. */
  @Column('jsonb')
  server: object;
}
