/**
 * Public source: Orchestration API reference, "Get stack template", "Get stack environment", "Get
 * stack files".
 */
import { Controller, Get, Inject, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import {
  STACK_COMMANDS,
  type StackCommands,
  type TemplateSummary,
} from '../engine/stack-commands.js';
import { AnyMap } from '../stacks/stack.answers.js';
import { StacksService, type StackPath } from '../stacks/stacks.service.js';
import { environmentView } from './stack-template.view.js';

@ApiTags('stack templates')
@Controller('stacks/:stack_name/:stack_id')
export class StackTemplatesController {
  constructor(
    @Inject(STACK_COMMANDS) private readonly commands: StackCommands,
    private readonly stacks: StacksService,
  ) {}

  @Get('template')
  @Allow('reader')
  @Operation("Show a stack's template", AnyMap)
  async template(
    @Ctx() ctx: RequestContext,
    @Param('stack_name') name: string,
    @Param('stack_id') id: string,
  ): Promise<object> {
    return (await this.#summary(ctx, { name, id })).source.template;
  }

  @Get('environment')
  @Allow('reader')
  @Operation("Show a stack's environment", AnyMap)
  async environment(
    @Ctx() ctx: RequestContext,
    @Param('stack_name') name: string,
    @Param('stack_id') id: string,
  ): Promise<object> {
    const { source, parameters } = await this.#summary(ctx, { name, id });
    return environmentView(source.environment, parameters);
  }

  @Get('files')
  @Allow('reader')
  @Operation("Show a stack's files", AnyMap)
  async files(
    @Ctx() ctx: RequestContext,
    @Param('stack_name') name: string,
    @Param('stack_id') id: string,
  ): Promise<object> {
    return (await this.#summary(ctx, { name, id })).source.files;
  }

  async #summary(ctx: RequestContext, path: StackPath): Promise<TemplateSummary> {
    return this.commands.templateOf(ctx, await this.stacks.find(ctx, path));
  }
}

@Feature({ controllers: [StackTemplatesController] })
export class StackTemplatesModule {}
