import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { StackTemplate, type StackTemplateId } from './stack-template.entity.js';
import type { StackAction, StackState } from './stack.states.js';

export type StackId = Id<'Stack'>;

/** Which steps of a stack's traversal are under way. */
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

  /** Then; of a stack below another, who made that. */
  @Column('text', { name: 'user_name' })
  userName: string;

  /** One root stack of a project has it. */
  @Column('text')
  name: string;

  @Column('text', { default: '' })
  description: string;

  @Column('text')
  action: StackAction;

  @ForeignKey(() => StackTemplate, { name: 'stacks_template_fkey' })
  @Column('uuid', { name: 'template_id' })
  templateId: StackTemplateId;

  /** That it was last complete with, while it is not with `templateId`: what a rollback goes to. */
  @ForeignKey(() => StackTemplate, { name: 'stacks_previous_template_fkey' })
  @Column('uuid', { name: 'previous_template_id', nullable: true })
  previousTemplateId: StackTemplateId | null;

  /** Counts its actions: what belongs to an earlier one is out of date. */
  @Column('integer', { default: 1 })
  traversal: number;

  @Column('text', { default: 'planning' })
  stage: StackStage;

  /** Resources of this stage that have not settled yet. */
  @Column('integer', { default: 0 })
  remaining: number;

  /** What the first resource that failed says, before the stack fails. */
  @Column('text', { nullable: true })
  failure: string | null;

  /** What the action needs besides the template (`ActionData`), sealed. */
  @Column('text', { name: 'action_data', nullable: true })
  actionData: string | null;

  @Column('integer', { name: 'timeout_minutes', nullable: true })
  timeoutMinutes: number | null;

  /** When the action is out of time; null while none is under way. */
  @Column('timestamptz', { name: 'timeout_at', nullable: true })
  timeoutAt: Date | null;

  @Column('boolean', { name: 'disable_rollback', default: true })
  disableRollback: boolean;

  @Column('text', { array: true, default: () => `'{}'` })
  tags: string[];

  /** The trust by which its resources are worked on: of the root stack, whoever last acted on it. */
  @Column('text', { name: 'trust_id', nullable: true })
  trustId: string | null;

  /** Those before it, which work that is under way may still use, and what was passed on: see `StackEnd`. */
  @Column('text', { name: 'former_trust_ids', array: true, default: () => `'{}'` })
  formerTrustIds: string[];

  /** The stack of which it is a part; null for a root. */
  @ForeignKey(() => Stack, { name: 'stacks_owner_fkey' })
  @Column('uuid', { name: 'owner_id', nullable: true })
  ownerId: StackId | null;

  /** The resource of that stack that it stands for. */
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

  /** When its last action began, but for its creation. */
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, nullable: true })
  updatedAt: Date | null;
}
