/**
 * The end of work on a resource, and its effects on others: it settles, fails, is deleted or
 * replaced, its dependents continue, and its stack has less to do. Fenced by the row's generation,
 * except for a failure, which the preceding transition has fenced.
 */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { RowChangedError, transition } from '@cumulet/common/states/transition';
import type { ColumnValues } from '@cumulet/common/states/state-table';
import type { LoadedResource } from './stack-resource.entity.js';
import type { EventOfResource } from './stack-resource.repository.js';
import { resourceStates } from './stack-resource.states.js';

export interface Released {
  readonly id: string;
  readonly turn: number;
}

@Injectable()
export class ResourceEndRepository {
  /** @throws SupersededError */
  async settle(tx: RequestContext, row: LoadedResource, set: ColumnValues): Promise<void> {
    const { id, generation } = row;
    await transition(tx, resourceStates, id, 'settle', { only: { generation }, set });
  }

  /** The event of a failure. A creation without an answer may have created something. */
  async fail(
    { manager }: RequestContext,
    { id }: LoadedResource,
    event: EventOfResource,
  ): Promise<void> {
    await preparedRows(
      manager,
      `UPDATE stack_resources
          SET action = $2, status = $3, reason = $4, goal = NULL, hook = NULL,
              frozen = CASE WHEN properties IS NULL THEN frozen END, updated_at = now()
        WHERE id = $1`,
      [id, event.action, event.status, event.reason],
    );
  }

  /** @throws RowChangedError */
  async remove({ manager }: RequestContext, { id, generation }: LoadedResource): Promise<void> {
    const removed = await preparedRows(
      manager,
      'DELETE FROM stack_resources WHERE id = $1 AND generation = $2 RETURNING 1',
      [id, generation],
    );
    if (removed.length === 0) throw new RowChangedError(resourceStates.resource, id, 'remove');
  }

  /** Decrements these rows' requirements. @returns those without any left, which start */
  async release(
    { manager }: RequestContext,
    { next, stackId, traversal }: LoadedResource,
  ): Promise<Released[]> {
    if (next.length === 0) return [];
    const rows = await preparedRows<Released & { waitingFor: number }>(
      manager,
      `UPDATE stack_resources AS one
          SET waiting_for = waiting_for - 1,
              previous_state = CASE WHEN waiting_for > 1 THEN one.previous_state ELSE one.state END,
              state = CASE WHEN waiting_for > 1 THEN one.state ELSE goal END,
              state_since = CASE WHEN waiting_for > 1 THEN one.state_since ELSE now() END,
              state_deadline = CASE WHEN waiting_for > 1 THEN NULL
                ELSE stacks.timeout_at + interval '5 seconds' END,
              generation = CASE WHEN waiting_for > 1 THEN one.generation ELSE one.generation + 1 END
         FROM stacks,
              (SELECT id FROM stack_resources
                WHERE id = ANY($1) AND state = 'waiting' AND traversal = $3
                ORDER BY id FOR UPDATE) AS locked
        WHERE one.id = locked.id AND stacks.id = $2
        RETURNING one.id, one.turn, one.waiting_for AS "waitingFor"`,
      [next, stackId, traversal],
    );
    return rows.filter(({ waitingFor }) => waitingFor <= 0);
  }

  /** Inserts a replacement. @returns its ID. @throws RowChangedError */
  async replace({ manager }: RequestContext, row: LoadedResource): Promise<string> {
    const newId = randomUUID();
    const { id, generation } = row;
    const moved = await preparedRows(
      manager,
      `WITH before AS (SELECT * FROM stack_resources WHERE id = $1 AND generation = $2 FOR UPDATE)
       UPDATE stack_resources AS one
          SET obsolete = true, replaced_by = $3, state = 'settled', previous_state = one.state,
              state_since = now(), state_deadline = NULL, generation = one.generation + 1,
              goal = NULL, next = '{}',
              definition = coalesce(one.former_definition, one.definition),
              frozen = CASE WHEN one.action = 'CREATE' THEN one.frozen END
         FROM before WHERE one.id = before.id
       RETURNING before.definition, before.next`,
      [id, generation, newId],
    );
    const [former] = moved as { definition: string; next: string[] }[];
    if (!former) throw new RowChangedError(resourceStates.resource, id, 'replace');
    await preparedRows(
      manager,
      `INSERT INTO stack_resources (id, stack_id, name, type, state, state_deadline, goal, traversal,
                                    definition, requires, asked, next, turn, replaces,
                                    cleared_hooks)
       SELECT $2, stack_id, name, type, $3, $4::timestamptz, $3, traversal, $5, requires, asked, $6,
              turn, id, cleared_hooks
         FROM stack_resources WHERE id = $1`,
      [id, newId, row.state, row.stateDeadline, former.definition, former.next],
    );
    return newId;
  }
}
