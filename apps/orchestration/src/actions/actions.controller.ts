/** Public source: Orchestration API reference, "Stack actions". */
import { Body, Controller, Injectable, Post } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { OfStack, type StackPath } from '../http/stack-path.js';
import { ActOnStack } from '../engine/commands/act-on-stack.js';
import type { Stack } from '../rows/stack.entity.js';
import { StacksService } from '../stacks/stacks.service.js';

type Run = (acting: ActOnStack, ctx: RequestContext, stack: Stack) => Promise<void>;

/** Keyed by the only key of the body. */
const ACTIONS: ReadonlyMap<string, Run> = new Map<string, Run>([
  ['suspend', (acting, ctx, stack) => acting.act(ctx, stack, 'SUSPEND')],
  ['resume', (acting, ctx, stack) => acting.act(ctx, stack, 'RESUME')],
  ['check', (acting, ctx, stack) => acting.act(ctx, stack, 'CHECK')],
  ['cancel_update', (acting, ctx, stack) => acting.cancelUpdate(ctx, stack)],
  ['cancel_without_rollback', (acting, ctx, stack) => acting.cancelWithoutRollback(ctx, stack)],
]);

@Injectable()
export class ActionsService {
  constructor(
    private readonly acting: ActOnStack,
    private readonly stacks: StacksService,
  ) {}

  /** @throws InvalidInputError for no, several or an unknown action; EntityNotFoundError */
  async run(ctx: RequestContext, path: StackPath, body: object): Promise<void> {
    const [name, ...others] = Object.keys(body);
    if (name === undefined) throw new InvalidInputError('No action specified');
    if (others.length > 0) throw new InvalidInputError('Multiple actions specified');
    const run = ACTIONS.get(name);
    if (!run) throw new InvalidInputError(`Invalid action ${name} specified`);
    await run(this.acting, ctx, await this.stacks.find(ctx, path));
  }
}

@Controller('stacks/:stack_name/:stack_id/actions')
export class ActionsController {
  constructor(private readonly actions: ActionsService) {}

  @Post()
  @Allow('member')
  @ApiBody({
    schema: {
      type: 'object',
      properties: Object.fromEntries([...ACTIONS.keys()].map((name) => [name, { nullable: true }])),
      minProperties: 1,
      maxProperties: 1,
    },
  })
  @Operation('Act on a stack', null, { status: 200, creates: false, errors: [409] })
  async act(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Body() body: object,
  ): Promise<void> {
    await this.actions.run(ctx, path, body);
  }
}

@Feature({ controllers: [ActionsController], providers: [ActionsService] })
export class ActionsModule {}
