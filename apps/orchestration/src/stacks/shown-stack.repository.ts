/**
 * A stack with what is kept of its template, and what its outputs are had from, for one look at it: one
 * statement by its key.
 */
import { Injectable } from '@nestjs/common';
import { mayActOn } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, shapeOf } from '@cumulet/common/database/rows';
import { CURRENT_COLUMNS, type CurrentResource } from '../rows/stack-resource.repository.js';
import { Stack } from '../rows/stack.entity.js';
import { EntityNotFoundError } from '../rows/stack.errors.js';

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
