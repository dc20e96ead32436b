/** Actions that leave the stack's template as it is. */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { equals } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { OrchestrationQuotas } from '../../quotas/orchestration-quotas.js';
import { StackSnapshot, type StackSnapshotId } from '../../rows/stack-snapshot.entity.js';
import type { Stack } from '../../rows/stack.entity.js';
import {
  ActionInProgressError,
  NotSupportedError,
  RequestLimitExceededError,
  SnapshotNotFoundError,
} from '../../rows/stack.errors.js';
import type { StackAction } from '../../rows/stack.states.js';
import { CANCELLED, StackEnd } from '../stack-end.js';
import { ActionStart } from '../start-action.js';
import type { AbandonedStack } from '../stack-commands.js';
import { StackExport } from '../stack-export.js';
import { StackWorkRepository } from '../../rows/stack-work.repository.js';
import { looseTrusts } from '@cumulet/common/trusts/loose-trust.repository';
import { Trusts, trustsOf, type TrustColumns } from './trusts.js';

const snapshotTable = new Table(StackSnapshot, {
  missing: (key) => new SnapshotNotFoundError(typeof key === 'string' ? key : '', ''),
});

/** Seconds that work in progress has left. */
const CANCEL_SECONDS = 5;

@Injectable()
export class ActOnStack {
  constructor(
    private readonly actions: ActionStart,
    private readonly end: StackEnd,
    private readonly stacks: StackWorkRepository,
    private readonly quotas: OrchestrationQuotas,
    private readonly trusts: Trusts,
    private readonly exports: StackExport,
  ) {}

  /** @throws ActionInProgressError */
  async act(
    ctx: RequestContext,
    stack: Stack,
    action: 'SUSPEND' | 'RESUME' | 'CHECK',
  ): Promise<void> {
    await this.trusts.renewed(ctx, stack, async (trust) => {
      requireIdle(stack);
      await inTransaction(ctx, (tx) => this.actions.start(tx, stack, action, trust));
    });
  }

  snapshot(ctx: RequestContext, stack: Stack, name: string | null): Promise<StackSnapshot> {
    return this.trusts.renewed(ctx, stack, (trust) => this.#snapshot(ctx, stack, name, trust));
  }

  async #snapshot(
    ctx: RequestContext,
    stack: Stack,
    name: string | null,
    trust: TrustColumns,
  ): Promise<StackSnapshot> {
    requireIdle(stack);
    const id = asId<StackSnapshotId>(randomUUID());
    return inTransaction(ctx, async (tx) => {
      const { id: stackId, projectId } = stack;
      // A stack does one action at a time, so a concurrent one does not begin.
      const { snapshots_per_stack: limit } = await this.quotas.limits(tx, projectId);
      const used = await snapshotTable.countOf(tx, [equals('stackId', stackId)]);
      if (limit >= 0 && used >= limit)
        throw new RequestLimitExceededError(
          `Stack ${stack.name} has ${used} snapshots, and may have ${limit}.`,
        );
      const snapshot = await snapshotTable.insert(tx, { id, stackId, projectId, name });
      await this.actions.start(tx, stack, 'SNAPSHOT', { ...trust, data: { snapshotId: id } });
      return snapshot;
    });
  }

  /** To the last complete template. @throws NotSupportedError unless an update is in progress */
  async cancelUpdate(ctx: RequestContext, stack: Stack): Promise<void> {
    await this.trusts.renewed(ctx, stack, async (trust) => {
      requireCancellable(stack, ['UPDATE']);
      await inTransaction(ctx, async (tx) => {
        const current = await this.actions.lock(tx, stack);
        requireCancellable(current, ['UPDATE']);
        await this.end.rollBack(tx, current, trust);
      });
    });
  }

  /** Fails the stack; requests in progress end by themselves. @throws NotSupportedError */
  async cancelWithoutRollback(ctx: RequestContext, stack: Stack): Promise<void> {
    requireCancellable(stack, CANCELLED);
    await inTransaction(ctx, (tx) => this.end.cancel(tx, stack, CANCEL_SECONDS));
  }

  async delete(ctx: RequestContext, stack: Stack): Promise<void> {
    await this.trusts.renewedIfPossible(ctx, stack, (trust) =>
      inTransaction(ctx, (tx) => this.actions.start(tx, stack, 'DELETE', trust)),
    );
  }

  /**
   * Deletes the records of the stack and its nested stacks, and none of their resources. Its trusts are
   * queued for deletion.
   * @returns the data that `adopt` takes
   */
  async abandon(ctx: RequestContext, stack: Stack): Promise<AbandonedStack> {
    const data = await this.exports.dataOf(ctx, stack);
    await inTransaction(ctx, async (tx) => {
      await this.stacks.removeTree(tx, stack);
      await looseTrusts.add(tx, trustsOf(stack));
    });
    await this.trusts.endAll(ctx, trustsOf(stack));
    return data;
  }
}

function requireIdle({ name, action, state }: Stack): void {
  if (state === 'in_progress') throw new ActionInProgressError(name, action);
}

function requireCancellable({ action, state }: Stack, actions: readonly StackAction[]): void {
  if (state === 'in_progress' && actions.includes(action)) return;
  const what = `Cancelling update when stack is ${action}_${state.toUpperCase()}`;
  throw new NotSupportedError(what);
}
