/** Changes of stacks by request bodies. Public source: Orchestration API reference, "Stacks". */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ActOnStack } from '../engine/commands/act-on-stack.js';
import { ChangeStack } from '../engine/commands/change-stack.js';
import { CreateStack } from '../engine/commands/create-stack.js';
import { PreviewStack } from '../engine/commands/preview-stack.js';
import type { AbandonedStack, PreviewedChanges, PreviewedStack } from '../engine/stack-commands.js';
import { TemplateLimits } from '../quotas/template-limits.js';
import type { Stack } from '../rows/stack.entity.js';
import { adoptedData, adoptedStack, newStack, stackChange } from './stack-request.js';
import type { NewStackDto, StackUpdateDto } from './stack.dto.js';
import type { StackPath } from '../http/stack-path.js';
import { StacksService } from './stacks.service.js';

@Injectable()
export class StackChangesService {
  constructor(
    private readonly stacks: StacksService,
    private readonly creating: CreateStack,
    private readonly changing: ChangeStack,
    private readonly acting: ActOnStack,
    private readonly previews: PreviewStack,
    private readonly limits: TemplateLimits,
  ) {}

  /** Adopted data replaces the template. */
  async create(ctx: RequestContext, dto: NewStackDto): Promise<Stack> {
    const adopted = dto.adopt_stack_data == null ? undefined : adoptedData(dto.adopt_stack_data);
    const request = adopted ? adoptedStack(dto, adopted) : newStack(dto);
    await this.limits.check(ctx, request);
    return adopted
      ? this.creating.adopt(ctx, request, adopted.data)
      : this.creating.create(ctx, request);
  }

  async preview(ctx: RequestContext, dto: NewStackDto): Promise<PreviewedStack> {
    const request = newStack(dto);
    await this.limits.check(ctx, request);
    return this.previews.previewCreate(ctx, request);
  }

  async update(
    ctx: RequestContext,
    path: StackPath,
    dto: StackUpdateDto,
    existing: boolean,
  ): Promise<void> {
    const change = stackChange(dto, existing);
    const stack = await this.stacks.find(ctx, path);
    await this.limits.check(ctx, change);
    await this.changing.update(ctx, stack, change);
  }

  async previewUpdate(
    ctx: RequestContext,
    path: StackPath,
    dto: StackUpdateDto,
    existing: boolean,
  ): Promise<{ readonly stack: Stack; readonly changes: PreviewedChanges }> {
    const change = stackChange(dto, existing);
    const stack = await this.stacks.find(ctx, path);
    await this.limits.check(ctx, change);
    return { stack, changes: await this.previews.previewUpdate(ctx, stack, change) };
  }

  async delete(ctx: RequestContext, path: StackPath): Promise<void> {
    await this.acting.delete(ctx, await this.stacks.find(ctx, path));
  }

  async abandon(ctx: RequestContext, path: StackPath): Promise<AbandonedStack> {
    return this.acting.abandon(ctx, await this.stacks.find(ctx, path));
  }
}
