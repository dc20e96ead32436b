/** Public source: Orchestration API reference, "Stacks". */
import { Body, Controller, Delete, Get, Post, Query as QueryOf, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { nextPageUrl } from '@cumulet/common/http/paging';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { OfStack, type StackPath } from '../http/stack-path.js';
import { stackLink, type Link } from '../http/links.js';
import { flagOf, type Query } from '../http/query.js';
import { TakesTemplate } from '../http/takes-template.js';
import {
  StackAnswer,
  StackCreated,
  StackDetailList,
  StackList,
  StackPreviewAnswer,
  outputView,
  stackDetail,
  stackSummary,
} from './stack.view.js';
import { previewView } from './preview.view.js';
import { STACK_LIST_PARAMETERS } from './stack-list.query.js';
import { StackListService, type StackPage } from './stack-list.service.js';
import { StackChangesService } from './stack-changes.service.js';
import { newStack } from './stack-request.js';
import { NewStackDto } from './stack.dto.js';
import { StacksService } from './stacks.service.js';
import { AnyMap } from '../http/json-shape.js';

@Controller('stacks')
export class StacksController {
  constructor(
    private readonly lists: StackListService,
    private readonly stacks: StacksService,
    private readonly changes: StackChangesService,
  ) {}

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

  @Post()
  @Allow('member')
  @TakesTemplate()
  @Operation('Create a stack', StackCreated, { creates: true })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: NewStackDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const stack = await this.changes.create(ctx, body);
    const link = stackLink(ctx, stack);
    void reply.header('Location', link.href);
    return { stack: { id: stack.id, links: [link] } };
  }

  @Post('preview')
  @Allow('reader')
  @TakesTemplate()
  @Operation('Preview a stack', StackPreviewAnswer, {
    status: 200,
    creates: false,
    errors: [404, 409],
  })
  async preview(@Ctx() ctx: RequestContext, @Body() body: NewStackDto): Promise<object> {
    const found = await this.changes.preview(ctx, body);
    return { stack: previewView(ctx, found, newStack(body), new Date()) };
  }

  @Get(':stack_name/:stack_id')
  @Allow('reader')
  @ApiQueries(['resolve_outputs'])
  @Operation('Show a stack', StackAnswer)
  async show(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @QueryOf() query: object,
  ): Promise<object> {
    const resolve = flagOf(query as Query, 'resolve_outputs', true);
    const { stack, template, outputs } = await this.stacks.show(ctx, path, resolve);
    return {
      stack: {
        ...stackDetail(ctx, stack, template),
        ...(outputs === undefined ? {} : { outputs: outputs.map(outputView) }),
      },
    };
  }

  @Delete(':stack_name/:stack_id')
  @Allow('member')
  @Operation('Delete a stack', null, { errors: [409] })
  async delete(@Ctx() ctx: RequestContext, @OfStack() path: StackPath): Promise<void> {
    await this.changes.delete(ctx, path);
  }

  @Delete(':stack_name/:stack_id/abandon')
  @Allow('member')
  @Operation('Abandon a stack', AnyMap, { errors: [409] })
  abandon(@Ctx() ctx: RequestContext, @OfStack() path: StackPath): Promise<object> {
    return this.changes.abandon(ctx, path);
  }

  /** The export contains secrets of resources, so it is for those who may change the stack. */
  @Get(':stack_name/:stack_id/export')
  @Allow('member')
  @Operation('Export a stack', AnyMap)
  export(@Ctx() ctx: RequestContext, @OfStack() path: StackPath): Promise<object> {
    return this.stacks.export(ctx, path);
  }
}

function nextLinks(ctx: RequestContext, { stacks, isFull }: StackPage): Link[] {
  const last = stacks.at(-1);
  if (!isFull || !last) return [];
  const url = nextPageUrl(ctx.fields.requestUrl ?? '', last.id);
  return [{ rel: 'next', href: ctx.baseUrl + url }];
}
