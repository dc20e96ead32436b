import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { listedRows, preparedRows } from '@cumulet/common/database/rows';
import { bound } from '@cumulet/common/tables/condition';
import { STACK_TREE_EVEN_DELETED, type KnownStack } from '../rows/stack.repository.js';
import type { EventQuery } from './event.query.js';
import type { StackEvent } from '../rows/stack-event.entity.js';

/** An event with the name of its stack, which may be deleted already. */
export type ListedEvent = Omit<StackEvent, 'position' | 'rootId' | 'properties'> & {
  readonly stackName: string;
};

export type ShownEvent = ListedEvent & Pick<StackEvent, 'properties'>;

const COLUMNS = `
  event.id, event.stack_id AS "stackId", event.project_id AS "projectId",
  event.resource_name AS "resourceName", event.physical_id AS "physicalId",
  event.resource_type AS "resourceType", event.action, event.status, event.reason,
  event.created_at AS "createdAt", tree.name AS "stackName"`;

/** A tree of one stack, whose name is known. */
const ALONE = 'WITH tree (id, name) AS (SELECT $1::uuid, $2::text)';

@Injectable()
export class EventRepository {
  list(ctx: RequestContext, stack: KnownStack, query: EventQuery): Promise<ListedEvent[]> {
    const { where, byType, descending, limit, marker, nestedDepth } = query;
    const params: unknown[] =
      nestedDepth > 0 ? [stack.id, stack.rootId, nestedDepth] : [stack.id, stack.name];
    const conditions = bound(where, undefined, params).where;
    const keys = [...(byType ? ['resource_type'] : []), 'position'];
    const key = keys.map((one) => `event.${one}`).join(', ');
    const direction = descending ? 'DESC' : 'ASC';
    const after =
      marker === undefined
        ? ''
        : ` AND (${key}) ${descending ? '<' : '>'} (SELECT ${keys.join(', ')}
              FROM stack_events WHERE id = $${params.push(marker)})`;
    const sql = `${nestedDepth > 0 ? STACK_TREE_EVEN_DELETED : ALONE}
      SELECT ${COLUMNS} FROM tree JOIN stack_events AS event ON event.stack_id = tree.id
       WHERE ${conditions}${after}
       ORDER BY ${keys.map((one) => `event.${one} ${direction}`).join(', ')}
       ${limit === undefined ? '' : `LIMIT $${params.push(limit)}`}`;
    return listedRows<ListedEvent>(ctx.manager, sql, params);
  }

  async find(ctx: RequestContext, stack: KnownStack, id: string): Promise<ShownEvent | undefined> {
    const sql = `${ALONE} SELECT ${COLUMNS}, event.properties
      FROM tree JOIN stack_events AS event ON event.stack_id = tree.id WHERE event.id = $3`;
    return (await preparedRows<ShownEvent>(ctx.manager, sql, [stack.id, stack.name, id]))[0];
  }
}
