import type { Id, ProjectId } from '@cumulet/common/context/ids';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Stack, type StackId } from './stack.entity.js';

export type StackSnapshotId = Id<'StackSnapshot'>;

/** A snapshot of a stack, with the data of its types. */
@Entity('stack_snapshots')
@Index('stack_snapshots_stack_idx', ['stackId', 'createdAt', 'id'])
export class StackSnapshot {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'stack_snapshots_pkey' })
  id: StackSnapshotId;

  @ForeignKey(() => Stack, { name: 'stack_snapshots_stack_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'stack_id' })
  stackId: StackId;

  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('text', { default: 'IN_PROGRESS' })
  status: 'IN_PROGRESS' | 'COMPLETE' | 'FAILED';

  @Column('text', { default: '' })
  reason: string;

  /** `SnapshotData`, sealed; null until it is complete. */
  @Column('text', { nullable: true })
  data: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;
}

/** The data with which a type restores a resource or deletes its snapshot. */
@Entity('resource_snapshots')
export class ResourceSnapshot {
  @ForeignKey(() => StackSnapshot, {
    name: 'resource_snapshots_snapshot_fkey',
    onDelete: 'CASCADE',
  })
  @PrimaryColumn('uuid', {
    name: 'snapshot_id',
    primaryKeyConstraintName: 'resource_snapshots_pkey',
  })
  snapshotId: StackSnapshotId;

  @PrimaryColumn('text', {
    name: 'resource_name',
    primaryKeyConstraintName: 'resource_snapshots_pkey',
  })
  resourceName: string;

  /** The type at the time, which deletes the snapshot even if the name has another type by now. */
  @Column('text')
  type: string;

  /** Sealed. */
  @Column('text')
  data: string;
}
