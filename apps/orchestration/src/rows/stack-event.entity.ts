import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import type { Id, ProjectId } from '@cumulet/common/context/ids';
import type { StackId } from './stack.entity.js';

export type StackEventId = Id<'StackEvent'>;

/** An event of a stack or a resource, written with the change. It outlives both. */
@Entity('stack_events')
@Index('stack_events_stack_idx', ['stackId', 'position'])
@Index('stack_events_root_idx', ['rootId', 'position'])
export class StackEvent {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'stack_events_pkey' })
  id: StackEventId;

  @Generated('increment')
  @Column('bigint')
  position: string;

  @Column('uuid', { name: 'stack_id' })
  stackId: StackId;

  @Column('uuid', { name: 'root_id' })
  rootId: StackId;

  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  /** The stack's name, for an event of the stack itself. */
  @Column('text', { name: 'resource_name' })
  resourceName: string;

  @Column('text', { name: 'physical_id', nullable: true })
  physicalId: string | null;

  @Column('text', { name: 'resource_type' })
  resourceType: string;

  @Column('text')
  action: string;

  @Column('text')
  status: string;

  @Column('text')
  reason: string;

  /** The resource's, sealed; null for the stack. */
  @Column('text', { nullable: true })
  properties: string | null;

  @Column({
    type: 'timestamptz',
    name: 'created_at',
    precision: 3,
    default: () => 'clock_timestamp()',
  })
  createdAt: Date;
}
