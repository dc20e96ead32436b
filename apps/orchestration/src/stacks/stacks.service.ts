/** Reads of stacks. Public source: Orchestration API reference, "Stacks". */
import { Injectable } from '@nestjs/common';
import type { StackPath } from '../http/stack-path.js';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ReadStack } from '../engine/commands/read-stack.js';
import type { AbandonedStack, ShownOutput, TemplateSummary } from '../engine/stack-commands.js';
import { StackExport } from '../engine/stack-export.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { StackRepository, type ShownStack, type StackOfOutputs } from '../rows/stack.repository.js';
import { EntityNotFoundError } from '../rows/stack.errors.js';

type StoredTemplate = Omit<TemplateSummary, 'source'>;

export interface FoundStack {
  readonly stack: ShownStack;
  readonly template: StoredTemplate;
  /** Undefined if not requested. */
  readonly outputs: readonly ShownOutput[] | undefined;
}

@Injectable()
export class StacksService {
  constructor(
    private readonly reading: ReadStack,
    private readonly exports: StackExport,
    private readonly stacks: StackRepository,
    private readonly sealed: SealedJson,
  ) {}

  find(ctx: RequestContext, { name, id }: StackPath): Promise<ShownStack> {
    return this.stacks.find(ctx, name, id);
  }

  /** Available as long as the stack's events are. */
  async templateOf(ctx: RequestContext, { name, id }: StackPath): Promise<TemplateSummary> {
    return this.reading.templateOf(ctx, await this.stacks.findEvenDeleted(ctx, name, id));
  }

  async show(ctx: RequestContext, { name, id }: StackPath, resolve: boolean): Promise<FoundStack> {
    if (!resolve) {
      const stack = await this.stacks.findEvenDeleted(ctx, name, id);
      return { stack, template: this.summaryOf(stack), outputs: undefined };
    }
    const stack = await this.stacks.findWithOutputs(ctx, name, id);
    const template = this.summaryOf(stack);
    // Their resources are gone.
    if (stack.deletedAt) return { stack, template, outputs: undefined };
    return { stack, template, outputs: await this.#outputsOf(ctx, stack, template) };
  }

  summaryOf({ summary }: ShownStack): StoredTemplate {
    return this.sealed.open<StoredTemplate>(summary);
  }

  async outputs(ctx: RequestContext, { name, id }: StackPath): Promise<readonly ShownOutput[]> {
    const stack = await this.stacks.findWithOutputs(ctx, name, id);
    if (stack.deletedAt) throw new EntityNotFoundError('Stack', name);
    return this.#outputsOf(ctx, stack, this.summaryOf(stack));
  }

  async #outputsOf(
    ctx: RequestContext,
    stack: StackOfOutputs,
    template: StoredTemplate,
  ): Promise<readonly ShownOutput[]> {
    if (Object.keys(template.outputs).length === 0) return [];
    return this.reading.outputs(ctx, stack, { ...template, resources: stack.resources });
  }

  async export(ctx: RequestContext, path: StackPath): Promise<AbandonedStack> {
    return this.exports.dataOf(ctx, await this.find(ctx, path));
  }
}
