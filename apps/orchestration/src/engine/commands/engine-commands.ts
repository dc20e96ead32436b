/** The engine as the API sees it: each command with the leave that it is carried out by. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { StackSnapshot } from '../../rows/stack-snapshot.entity.js';
import type { StackResource } from '../../rows/stack-resource.entity.js';
import type { Stack } from '../../rows/stack.entity.js';
import type { Json, JsonObject } from '../../json/json.js';
import type {
  AbandonedStack,
  NewStack,
  PreviewedChanges,
  PreviewedStack,
  ShownOutput,
  StackChange,
  StackCommands,
  KnownOutputs,
  TemplateSummary,
} from '../stack-commands.js';
import { StackExport } from '../stack-export.js';
import { StackSnapshots } from '../stack-snapshots.js';
import { ActOnStack } from './act-on-stack.js';
import { ChangeStack } from './change-stack.js';
import { CreateStack } from './create-stack.js';
import { PreviewStack } from './preview-stack.js';
import { ReadStack } from './read-stack.js';
import { SignalResource } from './signal-resource.js';
import { Trusts, trustsOf } from './trusts.js';

/** The parts that commands are in, as one thing to be injected. */
@Injectable()
export class CommandParts {
  constructor(
    readonly creating: CreateStack,
    readonly changing: ChangeStack,
    readonly acting: ActOnStack,
    readonly previews: PreviewStack,
    readonly reading: ReadStack,
    readonly signals: SignalResource,
  ) {}
}

@Injectable()
export class EngineCommands implements StackCommands {
  constructor(
    private readonly parts: CommandParts,
    private readonly trusts: Trusts,
    private readonly exports: StackExport,
    private readonly snapshots: StackSnapshots,
  ) {}

  create(ctx: RequestContext, request: NewStack): Promise<Stack> {
    return this.parts.creating.create(ctx, request);
  }

  previewCreate(ctx: RequestContext, request: NewStack): Promise<PreviewedStack> {
    return this.parts.previews.create(ctx, request);
  }

  async update(ctx: RequestContext, stack: Stack, change: StackChange): Promise<Stack> {
    const { changing } = this.parts;
    const { after } = await changing.read(ctx, stack, change);
    return this.trusts.renewed(ctx, stack, (trust) =>
      changing.update(ctx, stack, after, change, trust),
    );
  }

  async previewUpdate(
    ctx: RequestContext,
    stack: Stack,
    change: StackChange,
  ): Promise<PreviewedChanges> {
    const { after } = await this.parts.changing.read(ctx, stack, change);
    return this.parts.previews.update(ctx, stack, after);
  }

  async delete(ctx: RequestContext, stack: Stack): Promise<void> {
    await this.trusts.renewedIfPossible(ctx, stack, (trust) =>
      this.parts.changing.delete(ctx, stack, trust),
    );
  }

  async abandon(ctx: RequestContext, stack: Stack): Promise<AbandonedStack> {
    const data = await this.export(ctx, stack);
    await this.parts.changing.abandon(ctx, stack);
    await this.trusts.endAll(ctx, trustsOf(stack));
    return data;
  }

  export(ctx: RequestContext, stack: Stack): Promise<AbandonedStack> {
    return this.exports.dataOf(ctx, stack);
  }

  adopt(ctx: RequestContext, request: NewStack, data: AbandonedStack): Promise<Stack> {
    return this.parts.creating.adopt(ctx, request, data);
  }

  suspend(ctx: RequestContext, stack: Stack): Promise<void> {
    return this.act(ctx, stack, 'SUSPEND');
  }

  resume(ctx: RequestContext, stack: Stack): Promise<void> {
    return this.act(ctx, stack, 'RESUME');
  }

  check(ctx: RequestContext, stack: Stack): Promise<void> {
    return this.act(ctx, stack, 'CHECK');
  }

  private act(
    ctx: RequestContext,
    stack: Stack,
    action: 'SUSPEND' | 'RESUME' | 'CHECK',
  ): Promise<void> {
    return this.trusts.renewed(ctx, stack, (trust) =>
      this.parts.acting.act(ctx, stack, action, trust),
    );
  }

  cancelUpdate(ctx: RequestContext, stack: Stack): Promise<void> {
    return this.trusts.renewed(ctx, stack, (trust) =>
      this.parts.acting.cancelUpdate(ctx, stack, trust),
    );
  }

  cancelWithoutRollback(ctx: RequestContext, stack: Stack): Promise<void> {
    return this.parts.acting.cancelWithoutRollback(ctx, stack);
  }

  snapshot(ctx: RequestContext, stack: Stack, name: string | null): Promise<StackSnapshot> {
    return this.trusts.renewed(ctx, stack, (trust) =>
      this.parts.acting.snapshot(ctx, stack, name, trust),
    );
  }

  restore(ctx: RequestContext, stack: Stack, snapshot: StackSnapshot): Promise<void> {
    return this.trusts.renewed(ctx, stack, (trust) =>
      this.parts.changing.restore(ctx, stack, snapshot, trust),
    );
  }

  deleteSnapshot(ctx: RequestContext, stack: Stack, snapshot: StackSnapshot): Promise<void> {
    return this.snapshots.remove(ctx, stack, snapshot.id);
  }

  markUnhealthy(
    ctx: RequestContext,
    stack: Stack,
    resource: StackResource,
    isUnhealthy: boolean,
    reason: string | null,
  ): Promise<void> {
    return this.parts.signals.markUnhealthy(ctx, stack, resource, isUnhealthy, reason);
  }

  signal(ctx: RequestContext, _: Stack, resource: StackResource, details: Json): Promise<void> {
    return this.parts.signals.signal(ctx, resource, details);
  }

  outputs(
    ctx: RequestContext,
    stack: Stack,
    known?: KnownOutputs,
  ): Promise<readonly ShownOutput[]> {
    return this.parts.reading.outputs(ctx, stack, known);
  }

  attributesOf(
    ctx: RequestContext,
    _: Stack,
    resource: StackResource,
    names?: readonly string[],
  ): Promise<JsonObject> {
    return this.parts.reading.attributes(ctx, resource, names);
  }

  metadataOf(ctx: RequestContext, _: Stack, resource: StackResource): Promise<Json> {
    return this.parts.reading.metadata(ctx, resource);
  }

  templateOf(ctx: RequestContext, stack: Stack): Promise<TemplateSummary> {
    return this.parts.reading.template(ctx, stack);
  }
}
