/**
 * Public source: Orchestration API reference, "Get stack template", "Get stack environment", "Get
 * stack files".
 */
import { Controller, Get } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { OfStack, type StackPath } from '../http/stack-path.js';
import { StacksService } from '../stacks/stacks.service.js';
import { environmentView } from './stack-template.view.js';
import { AnyMap } from '../http/json-shape.js';

@Controller('stacks/:stack_name/:stack_id')
export class StackTemplatesController {
  constructor(private readonly stacks: StacksService) {}

  @Get('template')
  @Allow('reader')
  @Operation("Show a stack's template", AnyMap)
  async template(@Ctx() ctx: RequestContext, @OfStack() path: StackPath): Promise<object> {
    return (await this.stacks.templateOf(ctx, path)).source.template;
  }

  @Get('environment')
  @Allow('reader')
  @Operation("Show a stack's environment", AnyMap)
  async environment(@Ctx() ctx: RequestContext, @OfStack() path: StackPath): Promise<object> {
    const { source, parameters } = await this.stacks.templateOf(ctx, path);
    return environmentView(source.environment, parameters);
  }

  @Get('files')
  @Allow('reader')
  @Operation("Show a stack's files", AnyMap)
  async files(@Ctx() ctx: RequestContext, @OfStack() path: StackPath): Promise<object> {
    return (await this.stacks.templateOf(ctx, path)).source.files;
  }
}

@Feature({ controllers: [StackTemplatesController] })
export class StackTemplatesModule {}
