import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { StackTemplate, type StackTemplateId } from './stack-template.entity.js';
import type { StackAction, StackState } from './stack.states.js';

export type StackId = Id<'Stack'>;

/** The part of a stack's traversal that is in progress. */
export type StackStage = 'planning' | 'applying' | 'removing';

@Entity('stacks')
@Index('stacks_name_key', ['projectId', 'name'], { unique: true, where: 'owner_id IS NULL' })
@Index('stacks_project_page_idx', ['projectId', 'createdAt', 'id'], { where: 'owner_id IS NULL' })
@Index('stacks_project_all_page_idx', ['projectId', 'createdAt', 'id'])
@Index('stacks_unsettled_idx', ['state'], { where: `state = 'in_progress'` })
@Index('stacks_page_idx', ['createdAt', 'id'])
@Index('stacks_owner_idx', ['ownerId'])
@Index('stacks_owner_resource_key', ['ownerResourceId'], { unique: true })
@Index('stacks_root_idx', ['rootId'])
@Index('stacks_template_idx', ['templateId'])
@Index('stacks_previous_template_idx', ['previousTemplateId'])
export class Stack extends StatefulColumns {
  declare state: StackState;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'stacks_pkey' })
  id: StackId;

  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  @Column('text', { name: 'user_id' })
  userId: UserId;

  /** At the creation; for a nested stack, the user of its owner. */
  @Column('text', { name: 'user_name' })
  userName: string;

  /** Unique among the root stacks of a project. */
  @Column('text')
  name: string;

  @Column('text', { default: '' })
  description: string;

  @Column('text')
  action: StackAction;

  @ForeignKey(() => StackTemplate, { name: 'stacks_template_fkey' })
  @Column('uuid', { name: 'template_id' })
  templateId: StackTemplateId;

  /** The last complete template, unless `templateId` is: the target of a rollback. */
  @ForeignKey(() => StackTemplate, { name: 'stacks_previous_template_fkey' })
  @Column('uuid', { name: 'previous_template_id', nullable: true })
  previousTemplateId: StackTemplateId | null;

  /** Counts the actions; work of an earlier one is out of date. */
  @Column('integer', { default: 1 })
  traversal: number;

  @Column('text', { default: 'planning' })
  stage: StackStage;

  /** Unsettled resources of this stage. */
  @Column('integer', { default: 0 })
  remaining: number;

  /** The reason of the first failed resource, until the stack fails. */
  @Column('text', { nullable: true })
  failure: string | null;

  /** The action's data besides the template (`ActionData`), sealed. */
  @Column('text', { name: 'action_data', nullable: true })
  actionData: string | null;

  @Column('integer', { name: 'timeout_minutes', nullable: true })
  timeoutMinutes: number | null;

  /** The action's deadline; null without an action in progress. */
  @Column('timestamptz', { name: 'timeout_at', nullable: true })
  timeoutAt: Date | null;

  @Column('boolean', { name: 'disable_rollback', default: true })
  disableRollback: boolean;

  @Column('text', { array: true, default: () => `'{}'` })
  tags: string[];

  /**
   * The trust by which its resources are managed, from the user of the last action on the root stack.
   */
  @Column('text', { name: 'trust_id', nullable: true })
  trustId: string | null;

  /** Former trusts that are still in use or were passed on: see `StackEnd`. */
  @Column('text', { name: 'former_trust_ids', array: true, default: () => `'{}'` })
  formerTrustIds: string[];

  /** The stack that it is nested in; null for a root. */
  @ForeignKey(() => Stack, { name: 'stacks_owner_fkey' })
  @Column('uuid', { name: 'owner_id', nullable: true })
  ownerId: StackId | null;

  @Column('uuid', { name: 'owner_resource_id', nullable: true })
  ownerResourceId: string | null;

  @Column('text', { name: 'owner_resource_name', nullable: true })
  ownerResourceName: string | null;

  @Column('uuid', { name: 'root_id' })
  rootId: StackId;

  @Column('integer', { name: 'nested_depth', default: 0 })
  nestedDepth: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  /** The start of its last action, except its creation. */
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, nullable: true })
  updatedAt: Date | null;
}
