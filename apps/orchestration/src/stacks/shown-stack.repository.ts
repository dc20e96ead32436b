/** A stack with what is kept of its template, for one look at it: one statement by its key. */
import { Injectable } from '@nestjs/common';
import { mayActOn } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, shapeOf } from '@cumulet/common/database/rows';
import { equals } from '@cumulet/common/tables/condition';
import { allStacks, type ListedStack } from './stack-list.table.js';
import { Stack } from './stack.entity.js';
import { EntityNotFoundError } from './stack.errors.js';

/** @property summary what the engine keeps of the template, sealed */
export type ShownStack = Stack & { readonly summary: string };

@Injectable()
export class ShownStackRepository {
  /** @throws EntityNotFoundError if it does not exist to the caller, or has another name */
  async find(ctx: RequestContext, name: string, id: string): Promise<ShownStack> {
    const stack = await this.#find(ctx, id);
    if (stack?.name === name && mayActOn(ctx, stack.projectId)) return stack;
    throw new EntityNotFoundError('Stack', name);
  }

  /** The same; what was deleted is without a summary. */
  async findEvenDeleted(
    ctx: RequestContext,
    name: string,
    id: string,
  ): Promise<ShownStack | ListedStack> {
    const stack = (await this.#find(ctx, id)) ?? (await this.#findDeleted(ctx, id));
    if (stack?.name === name && mayActOn(ctx, stack.projectId)) return stack;
    throw new EntityNotFoundError('Stack', name);
  }

  async #find({ manager }: RequestContext, id: string): Promise<ShownStack | undefined> {
    if (!isUuid(id)) return undefined;
    const { columns } = shapeOf(manager, Stack);
    const sql = `
      SELECT ${columns}, template.summary FROM stacks
        JOIN stack_templates AS template ON template.id = stacks.template_id
       WHERE stacks.id = $1`;
    return (await preparedRows<ShownStack>(manager, sql, [id]))[0];
  }

  async #findDeleted(ctx: RequestContext, id: string): Promise<ListedStack | undefined> {
    return isUuid(id) ? (await allStacks.select(ctx, [equals('id', id)]))[0] : undefined;
  }
}
