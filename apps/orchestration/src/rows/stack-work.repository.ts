/** The engine's statements about a stack, and about many of its resources at once. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRow, selectRows } from '@cumulet/common/database/rows';
import { TrustHolders } from '@cumulet/common/trusts/trust-ports';
import { Injectable } from '@nestjs/common';
import { stringifyExact } from '../json/exact-json.js';
import { StackResource, type LoadedResource } from './stack-resource.entity.js';
import type { ResourceGoal } from './stack-resource.states.js';
import { Stack, type StackStage } from './stack.entity.js';

export interface PlannedWork {
  readonly id: string;
  readonly isNew: boolean;
  readonly name: string;
  readonly type: string;
  /** Sealed; undefined if it stays. */
  readonly definition: string | undefined;
  readonly requires: readonly string[] | undefined;
  readonly asked: readonly string[] | undefined;
  readonly waitingFor: number;
  readonly next: readonly string[];
  readonly turn: number;
  readonly physicalId: string | null;
  readonly data: string | null;
  readonly metadata: string | null;
}

const WORK = `jsonb_to_recordset($2) AS work (
  id uuid, is_new boolean, name text, type text, definition text, requires jsonb, asked jsonb,
  waiting_for integer, next jsonb, turn smallint, physical_id text, data text, metadata text)`;

const texts = (column: string): string => `ARRAY(SELECT jsonb_array_elements_text(work.${column}))`;

/** A resource without requirements starts at once. */
const STATE = `CASE WHEN work.waiting_for = 0 THEN $3 ELSE 'waiting' END`;
const DEADLINE = `CASE WHEN work.waiting_for = 0 THEN stacks.timeout_at + interval '5 seconds' END`;

@Injectable()
export class StackWorkRepository extends TrustHolders {
  async heldTrusts(
    { manager }: RequestContext,
    trustIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    if (trustIds.length === 0) return new Set();
    const rows = await preparedRows<{ trustId: string }>(
      manager,
      `SELECT one AS "trustId" FROM unnest($1::text[]) AS one
        WHERE EXISTS (SELECT FROM stacks WHERE trust_id = one OR one = ANY(former_trust_ids))`,
      [trustIds],
    );
    return new Set(rows.map(({ trustId }) => trustId));
  }

  find({ manager }: RequestContext, id: string): Promise<Stack | undefined> {
    return selectRow(manager, Stack, 'WHERE id = $1', [id]);
  }

  ofResource({ manager }: RequestContext, resourceId: string): Promise<Stack | undefined> {
    return selectRow(manager, Stack, 'WHERE owner_resource_id = $1', [resourceId]);
  }

  /** Counts the resources of a root stack with its nested stacks, except those of one stack. */
  async countResources(
    { manager }: RequestContext,
    rootId: string,
    except: string,
  ): Promise<number> {
    const [row] = await preparedRows<{ count: number }>(
      manager,
      `SELECT count(*)::int AS count FROM stack_resources AS one
         JOIN stacks ON stacks.id = one.stack_id
        WHERE stacks.root_id = $1 AND stacks.id <> $2 AND NOT one.obsolete`,
      [rootId, except],
    );
    return row?.count ?? 0;
  }

  /** Summaries of the templates of a stack and its owners, sealed. */
  async summariesOfOwners(
    { manager }: RequestContext,
    stackId: string,
  ): Promise<readonly string[]> {
    const rows = await preparedRows<{ summary: string }>(
      manager,
      `WITH RECURSIVE above AS (
         SELECT owner_id, template_id, previous_template_id FROM stacks WHERE id = $1
         UNION ALL
         SELECT one.owner_id, one.template_id, one.previous_template_id
           FROM stacks AS one JOIN above ON one.id = above.owner_id)
       SELECT summary FROM above
         JOIN stack_templates AS one ON one.id IN (above.template_id, above.previous_template_id)`,
      [stackId],
    );
    return rows.map(({ summary }) => summary);
  }

  resources({ manager }: RequestContext, stackId: string): Promise<StackResource[]> {
    return selectRows(manager, StackResource, 'WHERE stack_id = $1 ORDER BY created_at, id', [
      stackId,
    ]);
  }

  /** Sealed definitions of all resources of a root stack with its nested stacks. */
  async definitionsInTree({ manager }: RequestContext, rootId: string): Promise<string[]> {
    const rows = await preparedRows<{ definition: string }>(
      manager,
      `SELECT coalesce(one.former_definition, one.definition) AS definition
         FROM stack_resources AS one JOIN stacks ON stacks.id = one.stack_id
        WHERE stacks.root_id = $1`,
      [rootId],
    );
    return rows.map(({ definition }) => definition);
  }

  /** The project's resources that are in progress or waiting. */
  async workOf({ manager }: RequestContext, projectId: string): Promise<number> {
    const [row] = await preparedRows<{ work: number }>(
      manager,
      `SELECT coalesce(sum(remaining), 0)::int AS work FROM stacks
        WHERE project_id = $1 AND state = 'in_progress'`,
      [projectId],
    );
    return row?.work ?? 0;
  }

  async writeWork(
    { manager }: RequestContext,
    { id, traversal }: Pick<Stack, 'id' | 'traversal'>,
    goal: ResourceGoal,
    work: readonly PlannedWork[],
  ): Promise<void> {
    const json = stringifyExact(work.map(wireOf));
    await preparedRows(
      manager,
      `INSERT INTO stack_resources (id, stack_id, name, type, state, state_deadline, goal, traversal,
                                    definition, requires, asked, waiting_for, next, turn,
                                    physical_id, data, metadata)
       SELECT work.id, $1, work.name, work.type, ${STATE}, ${DEADLINE}, $3, $4, work.definition,
              ${texts('requires')}, ${texts('asked')}, work.waiting_for, ${texts('next')}::uuid[],
              work.turn, work.physical_id, work.data, work.metadata
         FROM ${WORK}, stacks WHERE work.is_new AND stacks.id = $1`,
      [id, json, goal, traversal],
    );
    await preparedRows(
      manager,
      `UPDATE stack_resources AS one
          SET state = ${STATE}, previous_state = one.state, state_since = now(),
              state_deadline = ${DEADLINE}, state_reason = NULL,
              generation = one.generation + 1, goal = $3, traversal = $4,
              former_definition = CASE WHEN work.definition IS NULL THEN one.former_definition
                ELSE coalesce(one.former_definition, one.definition) END,
              definition = coalesce(work.definition, one.definition),
              type = CASE WHEN work.definition IS NULL THEN one.type ELSE work.type END,
              requires = CASE WHEN work.requires IS NULL THEN one.requires
                ELSE ${texts('requires')} END,
              asked = CASE WHEN work.asked IS NULL THEN one.asked ELSE ${texts('asked')} END,
              waiting_for = work.waiting_for, next = ${texts('next')}::uuid[], turn = work.turn,
              obsolete = one.obsolete AND work.definition IS NULL,
              hook = NULL, cleared_hooks = '{}', tries = 0
         FROM ${WORK}, stacks
        WHERE one.id = work.id AND NOT work.is_new AND stacks.id = $1`,
      [id, json, goal, traversal],
    );
  }

  /** Marks rows for deletion after all others, and ends the work on them. */
  async makeObsolete(
    { manager }: RequestContext,
    stackId: string,
    ids: readonly string[],
  ): Promise<void> {
    if (ids.length === 0) return;
    await preparedRows(
      manager,
      `UPDATE stack_resources
          SET obsolete = true, state = 'settled', previous_state = state, state_since = now(),
              state_deadline = NULL, generation = generation + 1, goal = NULL, next = '{}'
        WHERE stack_id = $1 AND id = ANY($2)
          AND (NOT obsolete OR state <> 'settled')`,
      [stackId, ids],
    );
  }

  async dropWaiting({ manager }: RequestContext, { id, traversal }: Stack): Promise<void> {
    await preparedRows(
      manager,
      `UPDATE stack_resources
          SET state = 'settled', previous_state = state, state_since = now(), goal = NULL,
              generation = generation + 1
        WHERE stack_id = $1 AND traversal = $2 AND state = 'waiting'`,
      [id, traversal],
    );
  }

  /** Shortens the deadline of work in progress, except for deletions of obsolete rows. */
  async shortenDeadlines(
    { manager }: RequestContext,
    { id, traversal }: Stack,
    seconds: number,
  ): Promise<void> {
    await preparedRows(
      manager,
      `UPDATE stack_resources
          SET state_deadline = least(state_deadline, now() + $3 * interval '1 second')
        WHERE stack_id = $1 AND traversal = $2
          AND state NOT IN ('settled', 'waiting', 'removing')`,
      [id, traversal, seconds],
    );
  }

  /** Nested stacks of any depth with an action in progress, outer ones first. */
  nestedInProgress({ manager }: RequestContext, stackId: string): Promise<Stack[]> {
    return selectRows(
      manager,
      Stack,
      `WHERE id IN (
         WITH RECURSIVE below AS (
           SELECT id FROM stacks WHERE owner_id = $1
           UNION ALL SELECT one.id FROM stacks AS one JOIN below ON one.owner_id = below.id)
         SELECT id FROM below) AND state = 'in_progress'
       ORDER BY nested_depth, id`,
      [stackId],
    );
  }

  /** Whether a resource of it, or of a nested stack of any depth, is marked unhealthy. */
  async hasMarked({ manager }: RequestContext, stackId: string): Promise<boolean> {
    const [row] = await preparedRows<{ has: boolean }>(
      manager,
      `WITH RECURSIVE whole AS (
         SELECT $1::uuid AS id
         UNION ALL SELECT one.id FROM stacks AS one JOIN whole ON one.owner_id = whole.id)
       SELECT EXISTS (
         SELECT FROM stack_resources JOIN whole ON whole.id = stack_id
          WHERE NOT obsolete AND action = 'CHECK' AND status = 'FAILED') AS has`,
      [stackId],
    );
    return row?.has === true;
  }

  /** Locks a stack until the transaction ends; undefined if no action is in progress. */
  lockInProgress({ manager }: RequestContext, id: string): Promise<Stack | undefined> {
    return selectRow(manager, Stack, `WHERE id = $1 AND state = 'in_progress' FOR UPDATE`, [id]);
  }

  /** @returns whether the action is still current */
  async enter(
    { manager }: RequestContext,
    { id, traversal }: Pick<Stack, 'id' | 'traversal'>,
    stage: StackStage,
    remaining: number,
  ): Promise<boolean> {
    const rows = await preparedRows(
      manager,
      `UPDATE stacks SET stage = $3, remaining = $4
        WHERE id = $1 AND traversal = $2 AND state = 'in_progress' RETURNING 1`,
      [id, traversal, stage, remaining],
    );
    return rows.length > 0;
  }

  /** Decrements the remaining work. @returns the rest; undefined if another action has begun */
  async count(
    { manager }: RequestContext,
    { stackId, traversal }: LoadedResource,
  ): Promise<number | undefined> {
    const [row] = await preparedRows<{ remaining: number }>(
      manager,
      `UPDATE stacks SET remaining = remaining - 1
        WHERE id = $1 AND traversal = $2 AND state = 'in_progress' RETURNING remaining`,
      [stackId, traversal],
    );
    return row?.remaining;
  }

  /** Records the first failure of the action's work. @returns whether the action is in progress */
  async failStack(
    { manager }: RequestContext,
    { stackId, traversal }: LoadedResource,
    failure: string,
  ): Promise<boolean> {
    const rows = await preparedRows(
      manager,
      `UPDATE stacks SET failure = coalesce(failure, $3)
        WHERE id = $1 AND traversal = $2 AND state = 'in_progress' RETURNING 1`,
      [stackId, traversal, failure],
    );
    return rows.length > 0;
  }

  async removeTree({ manager }: RequestContext, { id }: Pick<Stack, 'id'>): Promise<void> {
    await preparedRows(manager, 'DELETE FROM stacks WHERE root_id = $1', [id]);
  }

  /** @returns whether it existed with that action */
  async remove({ manager }: RequestContext, { id, generation }: Stack): Promise<boolean> {
    const rows = await preparedRows(
      manager,
      'DELETE FROM stacks WHERE id = $1 AND generation = $2 RETURNING 1',
      [id, generation],
    );
    return rows.length > 0;
  }
}

function wireOf(one: PlannedWork): Record<string, unknown> {
  return {
    id: one.id,
    is_new: one.isNew,
    name: one.name,
    type: one.type,
    definition: one.definition,
    requires: one.requires,
    asked: one.asked,
    waiting_for: one.waitingFor,
    next: one.next,
    turn: one.turn,
    physical_id: one.physicalId,
    data: one.data,
    metadata: one.metadata,
  };
}
