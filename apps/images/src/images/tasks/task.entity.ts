import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ImageId } from '../image.entity.js';

export type TaskId = Id<'Task'>;

/** Glance's name for the import of an image. */
export const IMAGE_IMPORT = 'api_image_import';

export const TASK_STATUSES = ['pending', 'processing', 'success', 'failure'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/**
 * The record of an import, for its owner. The image's own state says what is to be done; a task
 * outlives its image.
 */
@Entity('tasks')
@Index('tasks_image', ['imageId', 'createdAt'])
@Index('tasks_owner', ['owner', 'createdAt', 'id'])
@Index('tasks_running', ['imageId'], {
  unique: true,
  where: `status IN ('pending', 'processing')`,
})
@Index('tasks_expires_at', ['expiresAt'], { where: 'expires_at IS NOT NULL' })
@Check('tasks_status', `status IN ('pending', 'processing', 'success', 'failure')`)
export class Task {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'tasks_pkey' })
  id: TaskId;

  @Column('text')
  type: string;

  @Column('text')
  status: TaskStatus;

  @Column('text')
  owner: ProjectId;

  @Column('text', { name: 'user_id' })
  userId: UserId;

  @Column('text', { name: 'request_id' })
  requestId: string;

  @Column('uuid', { name: 'image_id', nullable: true })
  imageId: ImageId | null;

  /** The request, as the client sent it. */
  @Column('jsonb')
  input: Record<string, unknown>;

  @Column('jsonb', { nullable: true })
  result: Record<string, unknown> | null;

  /** Why it failed. */
  @Column('text', { default: '' })
  message: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;

  /** When an ended task is deleted. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;
}
