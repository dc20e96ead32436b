/**
 * Stacks by the names and ids of paths, deleted ones too where they can still be read. What belongs
 * to another project does not exist.
 */
import { Injectable } from '@nestjs/common';
import { mayActOn } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { EntityNotFoundError } from '../rows/stack.errors.js';
import type { Stack } from '../rows/stack.entity.js';

/** What paths below a stack need to know of it. */
export interface KnownStack extends Pick<
  Stack,
  'id' | 'name' | 'projectId' | 'rootId' | 'ownerId' | 'ownerResourceName'
> {
  readonly isDeleted: boolean;
}

const PRESENT = `
  SELECT id, name, project_id AS "projectId", root_id AS "rootId", owner_id AS "ownerId",
         owner_resource_name AS "ownerResourceName", false AS "isDeleted"
    FROM stacks`;

const DELETED = `
  SELECT id, name, project_id AS "projectId", root_id AS "rootId", owner_id AS "ownerId",
         stack ->> 'owner_resource_name' AS "ownerResourceName", true AS "isDeleted"
    FROM deleted_stacks`;

const BY_ID = `${PRESENT} WHERE id = $1`;
const BY_ID_EVEN_DELETED = `${BY_ID} UNION ALL ${DELETED} WHERE id = $1`;
// Only root stacks share no name; those below them come after.
const BY_NAME = `${PRESENT} WHERE project_id = $1 AND name = $2 AND owner_id IS NULL`;
const NESTED_BY_NAME = `${PRESENT} WHERE project_id = $1 AND name = $2 ORDER BY created_at LIMIT 1`;

export interface FindOptions {
  /** Whether a deleted one is found, too. */
  readonly evenDeleted?: boolean;
}

@Injectable()
export class StackFinder {
  /**
   * The stack of a path that names both.
   * @throws EntityNotFoundError if it does not exist to the caller, or has another name
   */
  async find(
    ctx: RequestContext,
    name: string,
    id: string,
    { evenDeleted = false }: FindOptions = {},
  ): Promise<KnownStack> {
    if (!isUuid(id)) throw new EntityNotFoundError('Stack', name);
    const sql = evenDeleted ? BY_ID_EVEN_DELETED : BY_ID;
    const [stack] = await preparedRows<KnownStack>(ctx.manager, sql, [id]);
    if (stack?.name === name && mayActOn(ctx, stack.projectId)) return stack;
    throw new EntityNotFoundError('Stack', name);
  }

  /**
   * The stack that has this id, also when it was deleted, or else this name.
   * @throws EntityNotFoundError
   */
  async identify(ctx: RequestContext, nameOrId: string): Promise<KnownStack> {
    const { manager } = ctx;
    if (isUuid(nameOrId)) {
      const [stack] = await preparedRows<KnownStack>(manager, BY_ID_EVEN_DELETED, [nameOrId]);
      if (stack && mayActOn(ctx, stack.projectId)) return stack;
    }
    for (const sql of [BY_NAME, NESTED_BY_NAME]) {
      const [stack] = await preparedRows<KnownStack>(manager, sql, [ctx.projectId, nameOrId]);
      if (stack) return stack;
    }
    throw new EntityNotFoundError('Stack', nameOrId);
  }
}
