import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { StackId } from './stack.entity.js';

/** A deleted stack, which a trigger on the deletion of its row inserts. */
@Entity('deleted_stacks')
@Index('deleted_stacks_project_page_idx', ['projectId', 'createdAt', 'id'])
@Index('deleted_stacks_page_idx', ['createdAt', 'id'])
@Index('deleted_stacks_name_idx', ['projectId', 'name'])
@Index('deleted_stacks_root_idx', ['rootId'])
@Index('deleted_stacks_time_idx', ['deletedAt'])
export class DeletedStack {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'deleted_stacks_pkey' })
  id: StackId;

  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  @Column('text')
  name: string;

  @Column('uuid', { name: 'owner_id', nullable: true })
  ownerId: StackId | null;

  @Column('uuid', { name: 'root_id' })
  rootId: StackId;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, default: () => 'now()' })
  deletedAt: Date;

  /** The row by column names, with action DELETE and state complete. */
  @Column('jsonb')
  stack: Record<string, unknown>;
}
