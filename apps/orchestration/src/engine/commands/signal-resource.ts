/** Signals to resources, and marks of their health. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { errorOf } from '@cumulet/common/errors/domain-error';
import { nudge } from '@cumulet/common/jobs/nudge';
import type { ResourceType } from '../../resource-types/resource-type.js';
import type { LoadedResource, StackResource } from '../../rows/stack-resource.entity.js';
import type { Stack } from '../../rows/stack.entity.js';
import {
  ActionInProgressError,
  NotSupportedError,
  ResourceActionNotSupportedError,
  ResourceNotAvailableError,
} from '../../rows/stack.errors.js';
import { stringifyExact } from '../../json/exact-json.js';
import { isMap, type Json } from '../../json/json.js';
import { InvalidBreakPointHookError } from '../../template/template.errors.js';
import { deliver, storeSignal } from '../goals/deliver.js';
import { HOOKS } from '../goals/hooks.js';
import { ResourceTools } from '../goals/resource-tools.js';
import { nudgeOfResource } from '../../rows/stack-nudges.js';

/** Attempts of one signal against concurrent ones of the same resource. */
const MAX_TRIES = 20;

const HEALTH_REASON = 'state changed by resource_mark_unhealthy api';

@Injectable()
export class SignalResource {
  constructor(private readonly tools: ResourceTools) {}

  /**
   * @throws ResourceActionNotSupportedError if the type takes no signals; InvalidBreakPointHookError
   */
  async signal(ctx: RequestContext, { id }: StackResource, details: Json): Promise<void> {
    const hook = isMap(details) ? details['unset_hook'] : undefined;
    if (hook !== undefined) return this.clearHook(ctx, await this.load(ctx, id), hook);
    for (let tried = 0; tried < MAX_TRIES; tried += 1) {
      if (await this.deliver(ctx, await this.load(ctx, id), details)) return;
    }
    throw new BusyError();
  }

  private async load(ctx: RequestContext, id: string): Promise<LoadedResource> {
    const row = await this.tools.rows.load(ctx, id);
    if (!row) throw new ResourceNotAvailableError(id);
    return row;
  }

  private async clearHook(ctx: RequestContext, row: LoadedResource, hook: Json): Promise<void> {
    const shown = typeof hook === 'string' ? hook : stringifyExact(hook);
    if (!HOOKS.some((one) => one === hook))
      throw new InvalidBreakPointHookError(`Invalid hook type "${shown}" for ${row.name}`);
    await inTransaction(ctx, async (tx) => {
      const cleared = await preparedRows(
        tx.manager,
        `UPDATE stack_resources SET hook = NULL, cleared_hooks = cleared_hooks || $2::text
          WHERE id = $1 AND hook = $2 RETURNING 1`,
        [row.id, shown],
      );
      if (cleared.length === 0)
        throw new InvalidBreakPointHookError(
          `The "${shown}" hook is not defined on ${row.type} "${row.name}"`,
        );
      const { action, status } = row;
      const reason = `Hook ${shown} is cleared`;
      await this.tools.rows.writeEvent(tx, row, { action, status, reason, properties: null });
      await nudge(tx, nudgeOfResource({ id: row.id }));
    });
  }

  /**
   * @returns false if a concurrent signal was stored first, so that this one is to be delivered again
   */
  private async deliver(ctx: RequestContext, row: LoadedResource, details: Json): Promise<boolean> {
    const type = this.typeOf(row);
    const tell = type.signal?.bind(type);
    const keep = type.parseSignal?.bind(type);
    if (!tell && !keep) throw new ResourceActionNotSupportedError('signal');
    const { action, status } = row;
    if (action === 'SUSPEND' || action === 'DELETE') {
      const reason = `Cannot signal resource during ${action}`;
      await this.tools.rows.writeEvent(ctx, row, { action, status, reason, properties: null });
      throw new NotSupportedError(`Signal resource during ${action}`);
    }
    if (row.properties === null) throw new ResourceNotAvailableError(row.name);
    if (keep) {
      await storeSignal(this.tools, ctx, row, (number) => keep(details, number));
      return true;
    }
    if (!tell) throw new ResourceActionNotSupportedError('signal');
    const reason = await deliver(this.tools, ctx, row, (scope) => tell(scope, details));
    return reason !== undefined;
  }

  /** @param reason null for Heat's default. @throws ActionInProgressError */
  async markUnhealthy(
    ctx: RequestContext,
    stack: Stack,
    { id }: StackResource,
    isUnhealthy: boolean,
    reason: string | null,
  ): Promise<void> {
    if (stack.state === 'in_progress') throw new ActionInProgressError(stack.name, stack.action);
    const row = await this.load(ctx, id);
    const isMarked = row.action === 'CHECK' && row.status === 'FAILED';
    if (isMarked === isUnhealthy) return;
    const status = isUnhealthy ? 'FAILED' : 'COMPLETE';
    const event = { action: 'CHECK', status, reason: reason ?? HEALTH_REASON } as const;
    await this.tools.rows.begin(ctx, row, { ...event, properties: null }, row.frozen);
  }

  private typeOf(row: LoadedResource): ResourceType {
    return this.tools.kindOf(row).type;
  }
}

class BusyError extends errorOf(
  'unavailable',
  'Too many signals reach the resource at the same time.',
  { retryAfter: 1 },
) {}
