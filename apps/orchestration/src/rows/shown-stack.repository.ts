/**
 * A stack with what is kept of its template, and what its outputs are had from, for one look at it: one
 * statement by its key.
 */
import { mayActOn } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, shapeOf } from '@cumulet/common/database/rows';
import { Injectable } from '@nestjs/common';
import { CURRENT_COLUMNS, type CurrentResource } from './stack-resource.repository.js';
import { Stack } from './stack.entity.js';
import { EntityNotFoundError } from './stack.errors.js';

/** @property summary what the engine keeps of the template, sealed */
export type ShownStack = Stack & {
  readonly summary: string;
  /** Of one that was deleted. */
  readonly deletedAt?: Date;
};

/** A stack with those resources that its outputs refer to. */
export type StackOfOutputs = ShownStack & { readonly resources: readonly CurrentResource[] };

const RESOURCES = `
  (SELECT coalesce(json_agg(one), '[]')
     FROM (SELECT ${CURRENT_COLUMNS} FROM stack_resources
            WHERE stack_id = stacks.id AND name = ANY(template.output_resources)
              AND NOT obsolete) AS one) AS resources`;

@Injectable()
export class ShownStackRepository {
  /** @throws EntityNotFoundError if it does not exist to the caller, or has another name */
  async find(ctx: RequestContext, name: string, id: string): Promise<ShownStack> {
    const stack = await this.#find(ctx, id);
    if (stack?.name === name && mayActOn(ctx, stack.projectId)) return stack;
    throw new EntityNotFoundError('Stack', name);
  }

  /** The same, and one that was deleted while the archive has it. */
  async findEvenDeleted(ctx: RequestContext, name: string, id: string): Promise<ShownStack> {
    const stack = (await this.#find(ctx, id)) ?? (await this.#findDeleted(ctx, id));
    if (stack?.name === name && mayActOn(ctx, stack.projectId)) return stack;
    throw new EntityNotFoundError('Stack', name);
  }

  /** The same, with what outputs are had from, which of a deleted one nothing is. */
  async findWithOutputs(ctx: RequestContext, name: string, id: string): Promise<StackOfOutputs> {
    const stack = await this.#find<StackOfOutputs>(ctx, id, `, ${RESOURCES}`);
    if (!stack) return Object.assign(await this.findEvenDeleted(ctx, name, id), { resources: [] });
    if (stack.name === name && mayActOn(ctx, stack.projectId)) return stack;
    throw new EntityNotFoundError('Stack', name);
  }

  /** @param more columns */
  async #find<Row extends ShownStack = ShownStack>(
    { manager }: RequestContext,
    id: string,
    more = '',
  ): Promise<Row | undefined> {
    if (!isUuid(id)) return undefined;
    const { columns } = shapeOf(manager, Stack);
    const sql = `
      SELECT ${columns}, template.summary${more} FROM stacks
        JOIN stack_templates AS template ON template.id = stacks.template_id
       WHERE stacks.id = $1`;
    return (await preparedRows<Row>(manager, sql, [id]))[0];
  }

  async #findDeleted({ manager }: RequestContext, id: string): Promise<ShownStack | undefined> {
    if (!isUuid(id)) return undefined;
    const { columns } = shapeOf(manager, Stack);
    const sql = `
      SELECT ${columns}, template.summary, gone.deleted_at AS "deletedAt"
        FROM deleted_stacks AS gone
       CROSS JOIN jsonb_populate_record(NULL::stacks, gone.stack) AS stacks
        JOIN stack_templates AS template ON template.id = stacks.template_id
       WHERE gone.id = $1`;
    return (await preparedRows<ShownStack>(manager, sql, [id]))[0];
  }
}

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

/**
 * Stacks by the names and ids of paths, deleted ones too where they can still be read. What belongs
 * to another project does not exist.
 */
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
