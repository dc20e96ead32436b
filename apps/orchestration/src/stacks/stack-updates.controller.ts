/** Public source: Orchestration API reference, "Update stack", "Preview stack update". */
import { Body, Controller, Patch, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { OfStack, type StackPath } from '../http/stack-path.js';
import { TakesTemplate } from '../http/takes-template.js';
import { changesView } from './preview.view.js';
import { StackChangesAnswer } from './stack.view.js';
import { StackUpdateDto } from './stack.dto.js';
import { StackChangesService } from './stack-changes.service.js';

const ACCEPTED = { status: 202, errors: [409] };

@ApiTags('stacks')
@Controller('stacks/:stack_name/:stack_id')
export class StackUpdatesController {
  constructor(private readonly changes: StackChangesService) {}

  @Put()
  @Allow('member')
  @TakesTemplate()
  @Operation('Update a stack', null, ACCEPTED)
  async update(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Body() body: StackUpdateDto,
  ): Promise<void> {
    await this.changes.update(ctx, path, body, false);
  }

  @Patch()
  @Allow('member')
  @TakesTemplate()
  @Operation('Update a stack in part', null, ACCEPTED)
  async patch(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Body() body: StackUpdateDto,
  ): Promise<void> {
    await this.changes.update(ctx, path, body, true);
  }

  @Put('preview')
  @Allow('reader')
  @TakesTemplate()
  @ApiQueries(['show_nested'])
  @Operation('Preview an update of a stack', StackChangesAnswer, { errors: [409] })
  preview(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Body() body: StackUpdateDto,
  ): Promise<object> {
    return this.#preview(ctx, path, body, false);
  }

  @Patch('preview')
  @Allow('reader')
  @TakesTemplate()
  @ApiQueries(['show_nested'])
  @Operation('Preview an update of a stack in part', StackChangesAnswer, { errors: [409] })
  previewPatch(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Body() body: StackUpdateDto,
  ): Promise<object> {
    return this.#preview(ctx, path, body, true);
  }

  async #preview(
    ctx: RequestContext,
    path: StackPath,
    body: StackUpdateDto,
    existing: boolean,
  ): Promise<object> {
    const { stack, changes } = await this.changes.previewUpdate(ctx, path, body, existing);
    return { resource_changes: changesView(changes, stack) };
  }
}
