/** Lists of stacks. Public source: Orchestration API reference, "List stacks". */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CONFIG } from '@cumulet/common/service/tokens';
import { equals } from '@cumulet/common/tables/condition';
import type { OrchestrationConfig } from '../config.js';
import { isOfAllProjects, type Query } from '../http/query.js';
import { stackListQuery } from './stack-list.query.js';
import { allStacks, presentStacks, type ListedStack } from '../rows/stack.repository.js';

export interface StackPage {
  readonly stacks: readonly ListedStack[];
  /** Whether the page has as many as requested, so that another may follow. */
  readonly isFull: boolean;
  readonly count: number | undefined;
}

@Injectable()
export class StackListService {
  readonly #hiddenTags: readonly string[];

  constructor(@Inject(CONFIG) { hiddenTags }: OrchestrationConfig) {
    this.#hiddenTags = hiddenTags.split(',').filter((tag) => tag !== '');
  }

  /** @throws InvalidInputError, EntityNotFoundError for a marker that is not a stack of the list */
  async list(ctx: RequestContext, asked: Query): Promise<StackPage> {
    const query = stackListQuery(asked, this.#hiddenTags);
    const { where, sort, limit, marker } = query;
    const table = query.withDeleted ? allStacks : presentStacks;
    const scope = isOfAllProjects(ctx, asked) ? [] : [equals('projectId', ctx.projectId)];
    const { rows } = await table.list(ctx, {
      scope,
      where,
      sort,
      marker,
      limit: limit === 0 ? undefined : limit,
    });
    return {
      stacks: rows,
      isFull: limit !== undefined && limit > 0 && rows.length === limit,
      count: query.withCount ? await table.countOf(ctx, [...scope, ...where]) : undefined,
    };
  }
}
