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

/**
 * A resource of a stack: one thing of a service, from its creation to its removal. What replaces it
 * is another row of the same name.
 */
@Entity('stack_resources')
@Index('stack_resources_name_key', ['stackId', 'name'], { unique: true, where: 'NOT obsolete' })
@Index('stack_resources_stack_idx', ['stackId', 'id'])
@Index('stack_resources_unsettled_idx', ['state'], {
  where: `state NOT IN ('settled', 'waiting')`,
})
@Index('stack_resources_physical_idx', ['physicalId'])
export class StackResource extends StatefulColumns {
  declare state: ResourceState;

  /** Also the key of its creation. */
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

  /** Of the stack, when this was last given work. */
  @Column('integer')
  traversal: number;

  /** What it is to be: a `ResourceDefinition`, sealed. */
  @Column('text')
  definition: string;

  /** What it was made by, while what is begun with it is not by `definition` yet. */
  @Column('text', { name: 'former_definition', nullable: true })
  formerDefinition: string | null;

  /** What it was last made or changed with (`Frozen`), sealed; null before. */
  @Column('text', { nullable: true })
  properties: string | null;

  /** What its creation or change was begun with (`Frozen`), sealed; null once that was answered. */
  @Column('text', { nullable: true })
  frozen: string | null;

  /** Values of the attributes of `asked`, sealed. */
  @Column('text', { nullable: true })
  attributes: string | null;

  /** What `get_resource` gives, sealed. */
  @Column('text', { nullable: true })
  reference: string | null;

  /** Sealed; null for `{}`. */
  @Column('text', { nullable: true })
  metadata: string | null;

  /** What its type keeps for itself, sealed; null for `{}`. */
  @Column('text', { nullable: true })
  data: string | null;

  /** Names of the resources that must be there before it. */
  @Column('text', { array: true, default: () => `'{}'` })
  requires: string[];

  /** Names of the attributes that others and the outputs ask for. */
  @Column('text', { array: true, default: () => `'{}'` })
  asked: string[];

  /** What is done once nothing comes first any more. */
  @Column('text', { nullable: true })
  goal: ResourceGoal | null;

  /** The number of resources that have to settle before it. */
  @Column('integer', { name: 'waiting_for', default: 0 })
  waitingFor: number;

  /** Resources that wait for this one. */
  @Column('uuid', { array: true, default: () => `'{}'` })
  next: StackResourceId[];

  /** Place in the line of its project's work: lower ones go first. */
  @Column('smallint', { default: 0 })
  turn: number;

  /** Whether it is to go: no longer in the template, or replaced. */
  @Column('boolean', { default: false })
  obsolete: boolean;

  @Column('uuid', { nullable: true })
  replaces: StackResourceId | null;

  @Column('uuid', { name: 'replaced_by', nullable: true })
  replacedBy: StackResourceId | null;

  /** Whether the template's `external_id` names it, so that it is neither made nor removed. */
  @Column('boolean', { name: 'is_external', default: false })
  isExternal: boolean;

  /** The hook at which it has stopped, until a signal clears it. */
  @Column('text', { nullable: true })
  hook: string | null;

  /** Hooks of this traversal that were cleared. */
  @Column('text', { name: 'cleared_hooks', array: true, default: () => `'{}'` })
  clearedHooks: string[];

  /** How often the step at hand has been refused, and is tried again. */
  @Column('integer', { default: 0 })
  tries: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}

/** A resource with what work on it needs to know of its stack. The phases of a run change it. */
export interface LoadedResource extends StackResource {
  readonly stackName: string;
  readonly stackAction: StackAction;
  readonly stackState: StackState;
  readonly stackTags: string[];
  readonly stackDepth: number;
  readonly stackTimeoutMinutes: number | null;
  readonly projectId: string;
  readonly rootId: string;
  /** Who made the root stack. */
  readonly userId: string;
  readonly userName: string;
  /** Of the root stack; null in a cloud without. */
  readonly trustId: string | null;
  readonly timeoutAt: Date | null;
  /** Whether the stack's action has an `ActionData`. */
  readonly hasActionData: boolean;
}
