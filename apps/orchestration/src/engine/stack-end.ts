/** Ends a stack's action, successfully or not, with the consequences. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { amend, RowChangedError, transition } from '@cumulet/common/states/transition';
import { looseTrusts } from '@cumulet/common/trusts/loose-trust.repository';
import { StackEventRepository } from '../rows/stack-event.repository.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import type { Stack } from '../rows/stack.entity.js';
import { StackWorkRepository } from '../rows/stack-work.repository.js';
import { dropTemplates } from '../rows/stack-template.repository.js';
import { stackStates, type StackAction } from '../rows/stack.states.js';
import { EnginePorts } from './engine-ports.js';
import type { ResourceDefinition } from '../template/read-template.js';
import { implementationOf } from '../resource-types/nested-type.js';
import { ActionStart, type ActionColumns } from './start-action.js';
import { lockStack, nudgeOfResource } from '../rows/stack-nudges.js';
import { StackSnapshots } from './stack-snapshots.js';
import type { ActionData } from './stored.js';

export const CANCELLED: readonly StackAction[] = ['UPDATE', 'CREATE'];

const UNDONE: readonly StackAction[] = ['CREATE', 'ADOPT', 'UPDATE', 'RESTORE'];

@Injectable()
export class StackEnd {
  constructor(
    private readonly stacks: StackWorkRepository,
    private readonly events: StackEventRepository,
    private readonly ports: EnginePorts,
    private readonly sealed: SealedJson,
    private readonly actions: ActionStart,
    private readonly snapshots: StackSnapshots,
  ) {}

  /**
   * Deletes the trusts that are no longer in use: the former ones, and all of a deleted stack. A
   * trust that may have been passed on stays, because trusts made from it would end with it.
   */
  async endTrusts(ctx: RequestContext, stack: Stack): Promise<void> {
    const { id, action, trustId, traversal } = stack;
    const last = action === 'DELETE' && trustId !== null ? [trustId] : [];
    const ended = [...stack.formerTrustIds, ...last];
    if (ended.length === 0 || (await this.passesTrustsOn(ctx, stack))) return;
    await this.requireCurrent(ctx, stack);
    for (const one of ended) await this.ports.endTrust(one);
    if (stack.formerTrustIds.length === 0) return;
    const set = { formerTrustIds: [] };
    await amend(ctx, stackStates, id, { only: { traversal }, set });
  }

  /** Whether the stack or a nested one has a resource that acts by a trust made from the stack's. */
  private async passesTrustsOn(ctx: RequestContext, { id }: Stack): Promise<boolean> {
    const definitions = await this.stacks.definitionsInTree(ctx, id);
    return definitions.some((one) => {
      const type = this.ports.typeOf(implementationOf(this.sealed.open<ResourceDefinition>(one)));
      return type?.passesTrustOn === true;
    });
  }

  /** @throws RowChangedError if another action has begun, which may use them */
  private async requireCurrent(ctx: RequestContext, { id, traversal }: Stack): Promise<void> {
    const now = await this.stacks.find(ctx, id);
    if (now?.traversal !== traversal) throw new RowChangedError('stack', id, 'end');
  }

  async succeed(ctx: RequestContext, stack: Stack): Promise<void> {
    await inTransaction(ctx, (tx) =>
      stack.action === 'DELETE' ? this.remove(tx, stack) : this.complete(tx, stack),
    );
  }

  private async complete(tx: RequestContext, stack: Stack): Promise<void> {
    const { id, action, generation, previousTemplateId } = stack;
    const reason = `Stack ${action} completed successfully`;
    await transition(tx, stackStates, id, 'succeed', {
      only: { generation },
      set: { timeoutAt: null, previousTemplateId: null, actionData: null },
      reason,
    });
    await this.events.write(tx, stack, action, 'COMPLETE', reason);
    await dropTemplates(tx, [previousTemplateId]);
    if (action === 'SNAPSHOT') await this.snapshots.complete(tx, stack, this.dataOf(stack));
    await this.notifyOwner(tx, stack);
  }

  private async remove(tx: RequestContext, stack: Stack): Promise<void> {
    if (!(await this.stacks.remove(tx, stack)))
      throw new RowChangedError('stack', stack.id, 'remove');
    const reason = 'Stack DELETE completed successfully';
    await this.events.write(tx, stack, 'DELETE', 'COMPLETE', reason);
    // The archive still refers to the current template.
    await dropTemplates(tx, [stack.previousTemplateId]);
    await this.notifyOwner(tx, stack);
  }

  /** In the transaction that made it fail. */
  async failed(tx: RequestContext, stack: Stack, reason: string): Promise<void> {
    const { action } = stack;
    await this.events.write(tx, stack, action, 'FAILED', reason);
    if (action === 'SNAPSHOT') await this.snapshots.fail(tx, this.dataOf(stack), reason);
    // A nested stack is rolled back by its owner.
    const isUndone = UNDONE.includes(action) && !stack.disableRollback && stack.ownerId === null;
    if (isUndone) return this.rollBack(tx, stack);
    const seconds = this.actions.errorWaitSeconds;
    await this.stacks.shortenDeadlines(tx, stack, seconds);
    await this.cancelNested(tx, stack, seconds);
    await this.close(tx, stack);
  }

  /** Fails the stack; work in progress, also in nested stacks, has this many seconds left. */
  async cancel(tx: RequestContext, stack: Stack, seconds: number): Promise<void> {
    await this.stop(tx, stack, seconds);
    await this.cancelNested(tx, stack, seconds);
  }

  private async cancelNested(tx: RequestContext, stack: Stack, seconds: number): Promise<void> {
    for (const { id } of await this.stacks.nestedInProgress(tx, stack.id)) {
      await lockStack(tx, id);
      const below = await this.stacks.lockInProgress(tx, id);
      if (below && CANCELLED.includes(below.action)) await this.stop(tx, below, seconds);
    }
  }

  private async stop(tx: RequestContext, stack: Stack, seconds: number): Promise<void> {
    const { id, traversal, action } = stack;
    await lockStack(tx, id);
    await this.stacks.dropWaiting(tx, stack);
    // Dependencies that may never be met are not waited for.
    await this.stacks.shortenDeadlines(tx, stack, seconds);
    const reason = `Stack ${action} cancelled`;
    await transition(tx, stackStates, id, 'fail', { only: { traversal }, reason });
    await this.ended(tx, stack, reason);
  }

  private async ended(tx: RequestContext, stack: Stack, reason: string): Promise<void> {
    await this.events.write(tx, stack, stack.action, 'FAILED', reason);
    await this.close(tx, stack);
  }

  private async close(tx: RequestContext, stack: Stack): Promise<void> {
    const { id, traversal, formerTrustIds: former } = stack;
    const isServed = former.length === 0 || (await this.passesTrustsOn(tx, stack));
    const set = { timeoutAt: null, ...(isServed ? {} : { formerTrustIds: [] }) };
    await amend(tx, stackStates, id, { only: { traversal }, set });
    // Work in progress may use them for a while.
    if (!isServed) await looseTrusts.add(tx, former);
    await this.notifyOwner(tx, stack);
  }

  /** To the last complete template, or to nothing. */
  async rollBack(tx: RequestContext, stack: Stack, columns: ActionColumns = {}): Promise<void> {
    const { templateId, previousTemplateId } = stack;
    if (previousTemplateId === null) {
      return this.actions.start(tx, stack, 'ROLLBACK', { ...columns, data: { isEmpty: true } });
    }
    await this.actions.start(tx, stack, 'ROLLBACK', {
      ...columns,
      templateId: previousTemplateId,
      previousTemplateId: null,
    });
    await dropTemplates(tx, [templateId]);
  }

  private async notifyOwner(tx: RequestContext, { ownerResourceId }: Stack): Promise<void> {
    if (ownerResourceId === null) return;
    const rows = await preparedRows(
      tx.manager,
      `SELECT 1 FROM stack_resources WHERE id = $1 AND state NOT IN ('settled', 'waiting')`,
      [ownerResourceId],
    );
    if (rows.length > 0) await nudge(tx, nudgeOfResource({ id: ownerResourceId }));
  }

  private dataOf({ actionData }: Stack): ActionData {
    return this.sealed.openIfAny<ActionData>(actionData, {});
  }
}
