import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { StackSnapshot, type StackSnapshotId } from './stack-snapshot.entity.js';

/** What the type of a resource needs to bring it back as it was, or to remove its snapshot. */
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

  /** Its type then, by which the snapshot is removed whatever the name stands for by now. */
  @Column('text')
  type: string;

  /** Sealed. */
  @Column('text')
  data: string;
}
