/** Public source: Orchestration API reference, "Stacks". What changes stacks is the engine's. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  STACK_COMMANDS,
  type AbandonedStack,
  type PreviewedChanges,
  type PreviewedStack,
  type ShownOutput,
  type StackCommands,
  type TemplateSummary,
} from '../engine/stack-commands.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { TemplateLimits } from '../quotas/template-limits.js';
import { adoptedData } from './adopted-data.js';
import {
  ShownStackRepository,
  type ShownStack,
  type StackOfOutputs,
} from './shown-stack.repository.js';
import { adoptedStack, newStack, stackChange } from './stack-request.js';
import type { NewStackDto, StackUpdateDto } from './stack.dto.js';
import type { Stack } from '../rows/stack.entity.js';
import { EntityNotFoundError } from '../rows/stack.errors.js';

/** The name and the id of a path. */
export interface StackPath {
  readonly name: string;
  readonly id: string;
}

type KeptTemplate = Omit<TemplateSummary, 'source'>;

export interface FoundStack {
  readonly stack: ShownStack;
  readonly template: KeptTemplate;
  /** Undefined where they were not asked for. */
  readonly outputs: readonly ShownOutput[] | undefined;
}

@Injectable()
export class StacksService {
  constructor(
    @Inject(STACK_COMMANDS) private readonly commands: StackCommands,
    private readonly stacks: ShownStackRepository,
    private readonly sealed: SealedJson,
    private readonly limits: TemplateLimits,
  ) {}

  /** @throws EntityNotFoundError */
  find(ctx: RequestContext, { name, id }: StackPath): Promise<ShownStack> {
    return this.stacks.find(ctx, name, id);
  }

  /** What it was made from, which is readable for as long as its events are. */
  async templateOf(ctx: RequestContext, { name, id }: StackPath): Promise<TemplateSummary> {
    return this.commands.templateOf(ctx, await this.stacks.findEvenDeleted(ctx, name, id));
  }

  /** @throws EntityNotFoundError */
  async show(ctx: RequestContext, { name, id }: StackPath, resolve: boolean): Promise<FoundStack> {
    if (!resolve) {
      const stack = await this.stacks.findEvenDeleted(ctx, name, id);
      return { stack, template: this.keptOf(stack), outputs: undefined };
    }
    const stack = await this.stacks.findWithOutputs(ctx, name, id);
    const template = this.keptOf(stack);
    // What they would be had from is gone.
    if (stack.deletedAt) return { stack, template, outputs: undefined };
    return { stack, template, outputs: await this.#outputsOf(ctx, stack, template) };
  }

  /** What is known of its template without its source. */
  keptOf({ summary }: ShownStack): KeptTemplate {
    return this.sealed.open<KeptTemplate>(summary);
  }

  /** @throws EntityNotFoundError */
  async outputs(ctx: RequestContext, { name, id }: StackPath): Promise<readonly ShownOutput[]> {
    const stack = await this.stacks.findWithOutputs(ctx, name, id);
    if (stack.deletedAt) throw new EntityNotFoundError('Stack', name);
    return this.#outputsOf(ctx, stack, this.keptOf(stack));
  }

  async #outputsOf(
    ctx: RequestContext,
    stack: StackOfOutputs,
    template: KeptTemplate,
  ): Promise<readonly ShownOutput[]> {
    if (Object.keys(template.outputs).length === 0) return [];
    return this.commands.outputs(ctx, stack, { ...template, resources: stack.resources });
  }

  /** What a body brings to be adopted takes the place of a template. */
  async create(ctx: RequestContext, dto: NewStackDto): Promise<Stack> {
    const adopted = dto.adopt_stack_data == null ? undefined : adoptedData(dto.adopt_stack_data);
    const request = adopted ? adoptedStack(dto, adopted) : newStack(dto);
    await this.limits.check(ctx, request);
    return adopted
      ? this.commands.adopt(ctx, request, adopted.data)
      : this.commands.create(ctx, request);
  }

  async preview(ctx: RequestContext, dto: NewStackDto): Promise<PreviewedStack> {
    const request = newStack(dto);
    await this.limits.check(ctx, request);
    return this.commands.previewCreate(ctx, request);
  }

  /** @param existing whether what is not given stays */
  async update(
    ctx: RequestContext,
    path: StackPath,
    dto: StackUpdateDto,
    existing: boolean,
  ): Promise<void> {
    const change = stackChange(dto, existing);
    const stack = await this.find(ctx, path);
    await this.limits.check(ctx, change);
    await this.commands.update(ctx, stack, change);
  }

  async previewUpdate(
    ctx: RequestContext,
    path: StackPath,
    dto: StackUpdateDto,
    existing: boolean,
  ): Promise<{ readonly stack: Stack; readonly changes: PreviewedChanges }> {
    const change = stackChange(dto, existing);
    const stack = await this.find(ctx, path);
    await this.limits.check(ctx, change);
    return { stack, changes: await this.commands.previewUpdate(ctx, stack, change) };
  }

  async delete(ctx: RequestContext, path: StackPath): Promise<void> {
    await this.commands.delete(ctx, await this.find(ctx, path));
  }

  async abandon(ctx: RequestContext, path: StackPath): Promise<AbandonedStack> {
    return this.commands.abandon(ctx, await this.find(ctx, path));
  }

  async export(ctx: RequestContext, path: StackPath): Promise<AbandonedStack> {
    return this.commands.export(ctx, await this.find(ctx, path));
  }
}
