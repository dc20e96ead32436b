/** Public source: Orchestration API reference, "Stack outputs". */
import { Controller, Get, Param } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { OfStack, type StackPath } from '../http/stack-path.js';
import { NotFoundError } from '../rows/stack.errors.js';
import { StacksService } from '../stacks/stacks.service.js';
import { OutputAnswer, OutputList, outputSummary, outputView } from '../stacks/stack.view.js';

@Controller('stacks/:stack_name/:stack_id/outputs')
export class OutputsController {
  constructor(private readonly stacks: StacksService) {}

  @Get()
  @Allow('reader')
  @Operation('List the outputs of a stack', OutputList)
  async list(@Ctx() ctx: RequestContext, @OfStack() path: StackPath): Promise<object> {
    const { outputs } = this.stacks.summaryOf(await this.stacks.find(ctx, path));
    return { outputs: Object.entries(outputs).map(([key, output]) => outputSummary(key, output)) };
  }

  @Get(':output_key')
  @Allow('reader')
  @Operation('Show an output of a stack', OutputAnswer)
  async show(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Param('output_key') key: string,
  ): Promise<object> {
    const outputs = await this.stacks.outputs(ctx, path);
    const output = outputs.find((one) => one.name === key);
    if (!output) throw new NotFoundError(`Specified output key ${key} not found.`);
    return { output: outputView(output) };
  }
}

@Feature({ controllers: [OutputsController] })
export class OutputsModule {}
