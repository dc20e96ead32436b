import type { Id } from '@cumulet/common/context/ids';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type {
  ResourceAction,
  ResourceGoal,
  ResourceState,
  ResourceStatus,
} from './stack-resource.states.js';
import { Stack, type StackId } from './stack.entity.js';
import type { StackAction, StackState } from './stack.states.js';

export type StackResourceId = Id<'StackResource'>;

/** A resource of a stack. A replacement is another row with the same name. */
@Entity('stack_resources')
@Index('stack_resources_name_key', ['stackId', 'name'], { unique: true, where: 'NOT obsolete' })
@Index('stack_resources_stack_idx', ['stackId', 'id'])
@Index('stack_resources_unsettled_idx', ['state'], {
  where: `state NOT IN ('settled', 'waiting')`,
})
@Index('stack_resources_physical_idx', ['physicalId'])
export class StackResource extends StatefulColumns {
  declare state: ResourceState;

  /** Also the idempotency key of its creation. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'stack_resources_pkey' })
  id: StackResourceId;

  @ForeignKey(() => Stack, { name: 'stack_resources_stack_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'stack_id' })
  stackId: StackId;

  @Column('text')
  name: string;

  @Column('text')
  type: string;

  @Column('text', { name: 'physical_id', nullable: true })
  physicalId: string | null;

  @Column('text', { default: 'INIT' })
  action: ResourceAction;

  @Column('text', { default: 'COMPLETE' })
  status: ResourceStatus;

  @Column('text', { default: '' })
  reason: string;

  /** The stack's traversal that last gave it work. */
  @Column('integer')
  traversal: number;

  /** The wanted `ResourceDefinition`, sealed. */
  @Column('text')
  definition: string;

  /** The present definition, until work by `definition` has begun. */
  @Column('text', { name: 'former_definition', nullable: true })
  formerDefinition: string | null;

  /** The values of its last creation or update (`Frozen`), sealed; null before. */
  @Column('text', { nullable: true })
  properties: string | null;

  /** The values of a creation or update in progress (`Frozen`), sealed; null once it was answered. */
  @Column('text', { nullable: true })
  frozen: string | null;

  /** Values of the attributes in `asked`, sealed. */
  @Column('text', { nullable: true })
  attributes: string | null;

  /** The value of `get_resource`, sealed. */
  @Column('text', { nullable: true })
  reference: string | null;

  /** Sealed; null for `{}`. */
  @Column('text', { nullable: true })
  metadata: string | null;

  /** The type's own data, sealed; null for `{}`. */
  @Column('text', { nullable: true })
  data: string | null;

  /** Names of the resources that it depends on. */
  @Column('text', { array: true, default: () => `'{}'` })
  requires: string[];

  /** Names of attributes that other resources and outputs refer to. */
  @Column('text', { array: true, default: () => `'{}'` })
  asked: string[];

  /** The work to do once nothing is waited for. */
  @Column('text', { nullable: true })
  goal: ResourceGoal | null;

  @Column('integer', { name: 'waiting_for', default: 0 })
  waitingFor: number;

  /** Resources that wait for this one. */
  @Column('uuid', { array: true, default: () => `'{}'` })
  next: StackResourceId[];

  /** Place in the queue of its project's work; lower ones come first. */
  @Column('smallint', { default: 0 })
  turn: number;

  /** Whether it is to be deleted: replaced, or no longer in the template. */
  @Column('boolean', { default: false })
  obsolete: boolean;

  @Column('uuid', { nullable: true })
  replaces: StackResourceId | null;

  @Column('uuid', { name: 'replaced_by', nullable: true })
  replacedBy: StackResourceId | null;

  /** Whether `external_id` names it, so that it is neither created nor deleted. */
  @Column('boolean', { name: 'is_external', default: false })
  isExternal: boolean;

  @Column('text', { nullable: true })
  hook: string | null;

  /** Hooks that were cleared in this traversal. */
  @Column('text', { name: 'cleared_hooks', array: true, default: () => `'{}'` })
  clearedHooks: string[];

  /** Refused attempts of the current step. */
  @Column('integer', { default: 0 })
  tries: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}

/** A resource with the columns of its stack that work on it needs. The phases of a run modify it. */
export interface LoadedResource extends StackResource {
  readonly stackName: string;
  readonly stackAction: StackAction;
  readonly stackState: StackState;
  readonly stackTags: string[];
  readonly stackDepth: number;
  readonly stackTimeoutMinutes: number | null;
  readonly projectId: string;
  readonly rootId: string;
  readonly userId: string;
  readonly userName: string;
  /** Of the root stack; null in a cloud without trusts. */
  readonly trustId: string | null;
  readonly timeoutAt: Date | null;
  readonly hasActionData: boolean;
}
