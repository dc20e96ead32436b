import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow } from '@cumulet/common/database/rows';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { SignalResource } from '../engine/commands/signal-resource.js';
import { ShownResourceRepository } from '../stack-resources/shown-resource.repository.js';
import { EntityNotFoundError } from '../rows/stack.errors.js';
import { Stack } from '../rows/stack.entity.js';
import type { Json } from '../json/json.js';
import { SignalAddresses, type SignalTarget } from '../engine/signal-address.js';

/** Signals of those who have an address that was signed for them. */
@Injectable()
export class SignalsService {
  constructor(
    private readonly signals: SignalResource,
    private readonly addresses: SignalAddresses,
    private readonly resources: ShownResourceRepository,
  ) {}

  /**
   * @throws ForbiddenError without the right signature, which says nothing of what there is
   * @throws EntityNotFoundError once the resource is gone
   */
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
    const found = await this.resources.target(ctx, target.resourceId);
    const stack = found && (await selectRow(ctx.manager, Stack, 'WHERE id = $1', [found.stackId]));
    if (!stack) throw new EntityNotFoundError('Resource', target.resourceId);
    // Of the stack's project, and of nobody in it.
    const { projectId } = stack;
    const signaller = new RequestContext({ ...ctx.fields, projectId: asId(projectId) });
    await this.signals.signal(signaller, found.resource, details);
  }
}
