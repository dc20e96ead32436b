/** The end of a step: row, event, dependents and the stack's counter in one transaction. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudgeAll } from '@cumulet/common/jobs/nudge';
import type { ColumnValues } from '@cumulet/common/states/state-table';
import type { LoadedResource } from '../../rows/stack-resource.entity.js';
import { ResourceEndRepository, type Released } from '../../rows/resource-end.repository.js';
import { StackWorkRepository } from '../../rows/stack-work.repository.js';
import {
  StackResourceRepository,
  type EventOfResource,
} from '../../rows/stack-resource.repository.js';
import { nudgeOfResource, nudgeOfStack, shareStack } from '../../rows/stack-nudges.js';

@Injectable()
export class Settling {
  constructor(
    private readonly rows: StackResourceRepository,
    private readonly ends: ResourceEndRepository,
    private readonly stacks: StackWorkRepository,
  ) {}

  /** @param event undefined if nothing happened. @throws SupersededError for other work */
  async settle(
    ctx: RequestContext,
    row: LoadedResource,
    event: EventOfResource | undefined,
    set: ColumnValues = {},
  ): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      await shareStack(tx, row.stackId);
      const shown = event && { action: event.action, status: event.status, reason: event.reason };
      const done = { goal: null, hook: null, frozen: null, tries: 0 };
      const changed = event ? { updatedAt: new Date() } : {};
      await this.ends.settle(tx, row, { ...done, ...changed, ...shown, ...set });
      if (event) await this.rows.writeEvent(tx, row, event);
      await this.#releaseNext(tx, row);
    });
  }

  async remove(
    ctx: RequestContext,
    row: LoadedResource,
    event: EventOfResource | undefined,
  ): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      await shareStack(tx, row.stackId);
      await this.ends.remove(tx, row);
      if (event) await this.rows.writeEvent(tx, row, event);
      await this.#releaseNext(tx, row);
    });
  }

  async #releaseNext(tx: RequestContext, row: LoadedResource): Promise<void> {
    const released: Released[] = await this.ends.release(tx, row);
    const remaining = await this.stacks.count(tx, row);
    const nudges = released.map(nudgeOfResource);
    if (remaining === 0) nudges.push(nudgeOfStack(row.stackId));
    if (nudges.length > 0) await nudgeAll(tx, nudges);
  }
}
