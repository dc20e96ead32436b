/** Resources as clients see them: one of each name, the current or else the last. */
import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { listedRows, preparedRows, selectRow } from '@cumulet/common/database/rows';
import { bound } from '@cumulet/common/tables/condition';
import { STACK_TREE } from '../rows/stack.repository.js';
import type { ResourceListQuery } from './resource-list.query.js';
import { StackResource } from '../rows/stack-resource.entity.js';

export interface ListedResource extends Pick<
  StackResource,
  | 'id'
  | 'stackId'
  | 'name'
  | 'type'
  | 'physicalId'
  | 'action'
  | 'status'
  | 'reason'
  | 'createdAt'
  | 'updatedAt'
> {
  readonly stackName: string;
  readonly projectId: string;
  /** The resource that its stack implements. */
  readonly parentName: string | null;
  readonly requiredBy: readonly string[];
  readonly nestedId: string | null;
  readonly nestedName: string | null;
}

const COLUMNS = `
  one.id, one.stack_id AS "stackId", one.name, one.type, one.physical_id AS "physicalId",
  one.action, one.status, one.reason, one.created_at AS "createdAt",
  one.updated_at AS "updatedAt", tree.name AS "stackName", tree.project_id AS "projectId",
  tree.owner_resource_name AS "parentName", tree.depth,
  coalesce(needs.names, '{}') AS "requiredBy", child.id AS "nestedId", child.name AS "nestedName"`;

/** The stacks, with the dependencies in each. */
const TREE = `
  WITH RECURSIVE ${STACK_TREE}, needs AS (
    SELECT one.stack_id, needed.name, array_agg(one.name ORDER BY one.name) AS names
      FROM tree JOIN stack_resources AS one ON one.stack_id = tree.id,
           unnest(one.requires) AS needed (name)
     WHERE NOT one.obsolete GROUP BY one.stack_id, needed.name
  )`;

const FROM = `
  FROM tree
  JOIN stack_resources AS one ON one.stack_id = tree.id
  LEFT JOIN needs ON needs.stack_id = one.stack_id AND needs.name = one.name
  LEFT JOIN stacks AS child ON child.owner_id = one.stack_id AND child.owner_resource_id = one.id`;

const IS_SHOWN = `(NOT one.obsolete OR NOT EXISTS (
  SELECT FROM stack_resources AS other
   WHERE other.stack_id = one.stack_id AND other.name = one.name AND NOT other.obsolete))`;

@Injectable()
export class ShownResourceRepository {
  list(
    ctx: RequestContext,
    stackId: string,
    { where, nestedDepth }: Pick<ResourceListQuery, 'where' | 'nestedDepth'>,
  ): Promise<ListedResource[]> {
    const params: unknown[] = [stackId, nestedDepth];
    const conditions = bound(where, undefined, params).where;
    const sql = `${TREE} SELECT * FROM (
      SELECT DISTINCT ON (one.stack_id, one.name) ${COLUMNS} ${FROM}
       WHERE ${IS_SHOWN} AND ${conditions}
       ORDER BY one.stack_id, one.name, one.obsolete, one.created_at DESC) AS shown
      ORDER BY depth, "createdAt", "stackId", name`;
    return listedRows<ListedResource>(ctx.manager, sql, params);
  }

  async find(
    ctx: RequestContext,
    stackId: string,
    name: string,
  ): Promise<ListedResource | undefined> {
    const sql = `${TREE} SELECT ${COLUMNS} ${FROM} WHERE one.name = $3
      ORDER BY one.obsolete, one.created_at DESC LIMIT 1`;
    return (await preparedRows<ListedResource>(ctx.manager, sql, [stackId, 0, name]))[0];
  }

  /** The whole row with that name, or else with that physical ID. */
  async row(
    ctx: RequestContext,
    stackId: string,
    nameOrPhysicalId: string,
  ): Promise<StackResource | undefined> {
    const tail = `WHERE stack_id = $1 AND (name = $2 OR physical_id = $2)
      ORDER BY name = $2 DESC, obsolete, created_at DESC LIMIT 1`;
    return selectRow(ctx.manager, StackResource, tail, [stackId, nameOrPhysicalId]);
  }

  async ofId({ manager }: RequestContext, id: string): Promise<StackResource | undefined> {
    return isUuid(id) ? selectRow(manager, StackResource, 'WHERE id = $1', [id]) : undefined;
  }
}
