/**
 * Requests to signed URLs, whose signature is the only credential, because a guest has no token. Public
 * source: Heat template guide, OS::Heat::WaitConditionHandle and OS::Nova::Server
 * (software_config_transport).
 */
import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { SignalResource } from '../engine/commands/signal-resource.js';
import { SignalAddresses, type SignalTarget } from '../engine/signal-address.js';
import type { Json } from '../json/json.js';
import type { StackResource } from '../rows/stack-resource.entity.js';
import { StackWorkRepository } from '../rows/stack-work.repository.js';
import type { Stack } from '../rows/stack.entity.js';
import { EntityNotFoundError } from '../rows/stack.errors.js';
import { MetadataOfResources } from '../stack-resources/resource-metadata.js';
import { ShownResourceRepository } from '../stack-resources/shown-resource.repository.js';

@Injectable()
export class SignalsService {
  constructor(
    private readonly signals: SignalResource,
    private readonly addresses: SignalAddresses,
    private readonly resources: ShownResourceRepository,
    private readonly stacks: StackWorkRepository,
    private readonly metadata: MetadataOfResources,
  ) {}

  /** @throws ForbiddenError for a wrong signature; EntityNotFoundError once the resource is gone */
  async take(
    ctx: RequestContext,
    target: SignalTarget,
    signature: string,
    details: Json,
  ): Promise<void> {
    if (!this.addresses.isSigned(target, signature))
      throw new ForbiddenError(
        'The address of the signal is not one that this service has signed.',
      );
    const { resource, stack } = await this.#find(ctx, target);
    // A signal acts for the stack's project, without a user.
    const { projectId } = stack;
    const signaller = new RequestContext({ ...ctx.fields, projectId: asId(projectId) });
    await this.signals.signal(signaller, resource, details);
  }

  /** The metadata of a server for its agent. @throws as `take` does */
  async metadataOf(ctx: RequestContext, target: SignalTarget, signature: string): Promise<Json> {
    if (!this.addresses.isSignedForMetadata(target, signature))
      throw new ForbiddenError('The address is not one that this service has signed.');
    const { resource, stack } = await this.#find(ctx, target);
    return this.metadata.of(ctx, stack, resource);
  }

  async #find(
    ctx: RequestContext,
    { resourceId }: SignalTarget,
  ): Promise<{ readonly resource: StackResource; readonly stack: Stack }> {
    const resource = await this.resources.ofId(ctx, resourceId);
    const stack = resource && (await this.stacks.find(ctx, resource.stackId));
    if (!stack) throw new EntityNotFoundError('Resource', resourceId);
    return { resource, stack };
  }
}
