/** Public source: Orchestration API reference, "Stacks". */
import { Controller, Get, Query as QueryOf } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { nextPageUrl } from '@cumulet/common/http/paging';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { Feature } from '@cumulet/common/service/feature';
import { DeletedStack } from '../deleted-stacks/deleted-stack.entity.js';
import type { Link } from '../http/links.js';
import type { Query } from '../http/query.js';
import { OrchestrationQuotas } from '../quotas/orchestration-quotas.js';
import { ResourceSnapshot } from '../snapshots/resource-snapshot.entity.js';
import { StackSnapshot } from '../snapshots/stack-snapshot.entity.js';
import { StackResource } from '../stack-resources/stack-resource.entity.js';
import { StackTemplate } from '../stack-templates/stack-template.entity.js';
import { StackFinder } from './stack-finder.js';
import { STACK_LIST_PARAMETERS } from './stack-list.query.js';
import { StackListService, type StackPage } from './stack-list.service.js';
import { StackLookupController } from './stack-lookup.controller.js';
import { StackDetailList, StackList } from './stack.answers.js';
import { Stack } from './stack.entity.js';
import { stackSummary } from './stack.view.js';

@ApiTags('stacks')
@Controller('stacks')
export class StacksController {
  constructor(private readonly lists: StackListService) {}

  @Get()
  @Allow('reader')
  @ApiQueries(STACK_LIST_PARAMETERS)
  @Operation('List stacks', StackList, { errors: [404] })
  async list(@Ctx() ctx: RequestContext, @QueryOf() query: object): Promise<object> {
    const page = await this.lists.list(ctx, query as Query);
    const links = nextLinks(ctx, page);
    return {
      stacks: page.stacks.map((stack) => stackSummary(ctx, stack, ctx.isAdmin)),
      ...(links.length === 0 ? {} : { links }),
      ...(page.count === undefined ? {} : { count: page.count }),
    };
  }

  @Get('detail')
  @Allow('reader')
  @Operation('List stacks in detail', StackDetailList)
  async detail(@Ctx() ctx: RequestContext): Promise<object> {
    const { stacks } = await this.lists.list(ctx, {});
    return { stacks: stacks.map((stack) => stackSummary(ctx, stack)) };
  }
}

function nextLinks(ctx: RequestContext, { stacks, isFull }: StackPage): Link[] {
  const last = stacks.at(-1);
  if (!isFull || !last) return [];
  const url = nextPageUrl(ctx.fields.requestUrl ?? '', last.id);
  return [{ rel: 'next', href: ctx.baseUrl + url }];
}

@Feature({
  controllers: [StacksController, StackLookupController],
  providers: [OrchestrationQuotas, StackFinder, StackListService],
  entities: [DeletedStack, ResourceSnapshot, Stack, StackResource, StackSnapshot, StackTemplate],
})
export class StacksModule {}
