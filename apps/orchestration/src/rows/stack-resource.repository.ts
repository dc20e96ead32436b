/** Facts from services are always written; decisions are fenced by the row's generation. */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, shapeOf } from '@cumulet/common/database/rows';
import { RowChangedError } from '@cumulet/common/states/transition';
import { StackResource, type LoadedResource } from './stack-resource.entity.js';
import {
  resourceStates,
  type ResourceAction,
  type ResourceStatus,
} from './stack-resource.states.js';

/** The columns that references to a resource need. */
export type RequiredResource = Pick<
  StackResource,
  'name' | 'physicalId' | 'reference' | 'attributes' | 'action' | 'status'
>;

export type CurrentResource = RequiredResource & Pick<StackResource, 'id'>;

export const CURRENT_COLUMNS =
  'id, name, physical_id AS "physicalId", reference, attributes, action, status';

/** The columns that a type may see of another resource of its stack. */
export type OtherResource = Pick<StackResource, 'id' | 'name' | 'physicalId' | 'data' | 'metadata'>;

export interface EventOfResource {
  readonly action: ResourceAction | 'SIGNAL';
  readonly status: ResourceStatus;
  readonly reason: string;
  readonly properties: string | null;
}

/** Characters of an event's reason, as in Heat. */
const REASON = 255;

const EVENT_COLUMNS = `(id, stack_id, root_id, project_id, resource_name, physical_id, resource_type,
                        action, status, reason, properties)`;

@Injectable()
export class StackResourceRepository {
  async load({ manager }: RequestContext, id: string): Promise<LoadedResource | undefined> {
    const { columns } = shapeOf(manager, StackResource);
    const [row] = await preparedRows<LoadedResource>(
      manager,
      `SELECT ${columns}, stack.name AS "stackName", stack.action AS "stackAction",
              stack.state AS "stackState",
              stack.tags AS "stackTags", stack.nested_depth AS "stackDepth",
              stack.timeout_minutes AS "stackTimeoutMinutes",
              stack.project_id AS "projectId", stack.root_id AS "rootId",
              root.user_id AS "userId", root.user_name AS "userName",
              root.trust_id AS "trustId", stack.timeout_at AS "timeoutAt",
              stack.action_data IS NOT NULL AS "hasActionData"
         FROM stack_resources
         JOIN stacks AS stack ON stack.id = stack_resources.stack_id
         JOIN stacks AS root ON root.id = stack.root_id
        WHERE stack_resources.id = $1`,
      [id],
    );
    return row;
  }

  required(
    { manager }: RequestContext,
    stackId: string,
    names: readonly string[],
  ): Promise<RequiredResource[]> {
    if (names.length === 0) return Promise.resolve([]);
    return preparedRows<RequiredResource>(
      manager,
      `SELECT name, physical_id AS "physicalId", reference, attributes, action, status
         FROM stack_resources WHERE stack_id = $1 AND name = ANY($2) AND NOT obsolete`,
      [stackId, names],
    );
  }

  async ofPhysicalId(
    { manager }: RequestContext,
    stackId: string,
    physicalId: string,
  ): Promise<OtherResource | undefined> {
    const [row] = await preparedRows<OtherResource>(
      manager,
      `SELECT id, name, physical_id AS "physicalId", data, metadata
         FROM stack_resources WHERE physical_id = $2 AND stack_id = $1
        ORDER BY obsolete LIMIT 1`,
      [stackId, physicalId],
    );
    return row;
  }

  current(
    { manager }: RequestContext,
    stackId: string,
    names: readonly string[],
  ): Promise<CurrentResource[]> {
    if (names.length === 0) return Promise.resolve([]);
    return preparedRows<CurrentResource>(
      manager,
      `SELECT ${CURRENT_COLUMNS}
         FROM stack_resources WHERE stack_id = $1 AND name = ANY($2) AND NOT obsolete`,
      [stackId, names],
    );
  }

  /** Shows work in progress with its values. @throws RowChangedError if the row has other work */
  async begin(
    { manager }: RequestContext,
    row: LoadedResource,
    event: EventOfResource,
    frozen: string | null,
  ): Promise<void> {
    const { id, generation } = row;
    const done = await preparedRows(
      manager,
      `WITH changed AS (
         UPDATE stack_resources
            SET action = $3, status = $4, reason = $5, frozen = $6, tries = 0, updated_at = now(),
                former_definition = CASE WHEN $3 NOT IN ('CREATE', 'ADOPT') THEN former_definition END
          WHERE id = $1 AND generation = $2 RETURNING stack_id)
       INSERT INTO stack_events ${EVENT_COLUMNS}
       SELECT $7::uuid, stack_id, $8, $9, $10, $11, $12, $3, $4, left($5, ${REASON}), $13 FROM changed RETURNING id`,
      [
        id,
        generation,
        event.action,
        event.status,
        event.reason,
        frozen,
        ...eventValues(row, event),
      ],
    );
    if (done.length === 0) throw new RowChangedError(resourceStates.resource, id, 'begin with');
    const { action, status, reason } = event;
    Object.assign(row, { action, status, reason, frozen });
    if (action === 'CREATE' || action === 'ADOPT') row.formerDefinition = null;
  }

  async writeEvent(
    { manager }: RequestContext,
    row: LoadedResource,
    event: EventOfResource,
  ): Promise<void> {
    await preparedRows(
      manager,
      `INSERT INTO stack_events ${EVENT_COLUMNS}
       VALUES ($4, $11, $5, $6, $7, $8, $9, $1, $2, left($3, ${REASON}), $10)`,
      [event.action, event.status, event.reason, ...eventValues(row, event), row.stackId],
    );
  }

  async record(
    { manager }: RequestContext,
    row: LoadedResource,
    learnt: Partial<
      Pick<
        StackResource,
        'physicalId' | 'properties' | 'frozen' | 'data' | 'metadata' | 'isExternal' | 'replacedBy'
      >
    >,
  ): Promise<void> {
    const { columnOf } = shapeOf(manager, StackResource);
    const names = Object.keys(learnt);
    const sets = names.map((name, at) => `${columnOf(name)} = $${at + 2}`).join(', ');
    await preparedRows(manager, `UPDATE stack_resources SET ${sets} WHERE id = $1`, [
      row.id,
      ...Object.values(learnt),
    ]);
    Object.assign(row, learnt);
  }

  /** Records that a step was refused and will be retried. */
  async tryAgain({ manager }: RequestContext, row: LoadedResource, reason: string): Promise<void> {
    await preparedRows(
      manager,
      `UPDATE stack_resources SET tries = tries + 1, reason = $3
        WHERE id = $1 AND generation = $2`,
      [row.id, row.generation, reason],
    );
    row.tries += 1;
  }

  /** Stops at a hook, or continues. @throws RowChangedError */
  async stopAt(
    { manager }: RequestContext,
    { id, generation }: LoadedResource,
    hook: string,
  ): Promise<void> {
    const changed = await preparedRows(
      manager,
      `UPDATE stack_resources SET hook = $3 WHERE id = $1 AND generation = $2 RETURNING 1`,
      [id, generation, hook],
    );
    if (changed.length === 0) throw new RowChangedError(resourceStates.resource, id, 'stop');
  }
}

function eventValues(row: LoadedResource, { properties }: EventOfResource): unknown[] {
  const { rootId, projectId, name, physicalId, type } = row;
  return [randomUUID(), rootId, projectId, name, physicalId, type, properties];
}
