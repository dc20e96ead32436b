/** Moves a stack through its action: plans, waits for resources, deletes obsolete ones, ends. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { errorOf } from '@cumulet/common/errors/domain-error';
import { inTransaction } from '@cumulet/common/database/transaction';
import {
  phase,
  type Plan,
  type Reconciler,
  type Scope,
  type Wait,
} from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import { RowChangedError } from '@cumulet/common/states/transition';
import type { OrchestrationConfig } from '../config.js';
import { lockStack } from '../rows/stack-nudges.js';
import { StackEnd } from './stack-end.js';
import { PlanOutOfDate, StackPlanning } from './write-plan.js';
import type { Stack } from '../rows/stack.entity.js';
import { StackWorkRepository } from '../rows/stack-work.repository.js';
import { stackStates, type StackEvent, type StackState } from '../rows/stack.states.js';

const TASK = 'stack';

/** The last resource nudges the stack; this interval is for a lost nudge. */
const LOOK_MS = 30_000;

@Reconciles(({ concurrency }: OrchestrationConfig) => [{ tasks: [TASK], concurrency }])
@Injectable()
export class StackReconciler implements Reconciler<Stack, StackState, StackEvent> {
  readonly states = stackStates;
  readonly plans: Partial<Record<StackState, Plan<Stack, StackEvent>>>;

  constructor(
    private readonly stacks: StackWorkRepository,
    private readonly planning: StackPlanning,
    private readonly end: StackEnd,
  ) {
    this.plans = {
      in_progress: {
        phases: [
          phase('plan', (scope) => this.plan(scope)),
          phase('waitApplied', (scope) => this.wait(scope, 'applying')),
          phase('planRemoval', (scope) => this.planRemoval(scope)),
          phase('waitRemoved', (scope) => this.wait(scope, 'removing')),
          phase('endTrusts', ({ ctx, row }) => this.end.endTrusts(ctx, row)),
          phase('settle', ({ ctx, row }) => this.end.succeed(ctx, row)),
        ],
      },
    };
  }

  taskOf(): string {
    return TASK;
  }

  load(ctx: RequestContext, id: string): Promise<Stack | undefined> {
    return this.stacks.find(ctx, id);
  }

  /** Resources lock the stack's row last when they settle, so a failure waits for them first. */
  beforeEnd(tx: RequestContext, { id }: Stack): Promise<void> {
    return lockStack(tx, id);
  }

  /** @param event `fail`; success is recorded by the last step itself */
  async ended(
    tx: RequestContext,
    id: string,
    event: StackEvent,
    reason: string | null,
  ): Promise<void> {
    const stack = await this.stacks.find(tx, id);
    if (event === 'fail' && stack) await this.end.failed(tx, stack, reason ?? '');
  }

  private async plan({ ctx, row }: Scope<Stack>): Promise<void> {
    if (row.stage !== 'planning') return;
    await this.written(row, async () => {
      row.remaining = await this.planning.plan(ctx, row);
      row.stage = row.action === 'DELETE' ? 'removing' : 'applying';
    });
  }

  private async planRemoval({ ctx, row }: Scope<Stack>): Promise<void> {
    if (row.stage !== 'applying') return;
    await this.written(row, async () => {
      row.remaining = await this.planning.planRemoval(ctx, row);
      row.stage = 'removing';
    });
  }

  /** @throws RowChangedError if another action has begun */
  private async written({ id }: Stack, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof PlanOutOfDate) throw new RowChangedError('stack', id, 'plan');
      throw error;
    }
  }

  private async wait({ ctx, row }: Scope<Stack>, stage: Stack['stage']): Promise<Wait | undefined> {
    if (row.stage !== stage) return undefined;
    const left = (row.timeoutAt?.getTime() ?? Infinity) - Date.now();
    const isOver = row.remaining > 0 && left <= 0;
    if (row.failure !== null || isOver) {
      await inTransaction(ctx, async (tx) => {
        await lockStack(tx, row.id);
        await this.stacks.dropWaiting(tx, row);
      });
      throw row.failure === null
        ? new TimedOutError(row.action)
        : new StackFailedError(row.failure);
    }
    return row.remaining > 0 ? { waitMs: Math.min(LOOK_MS, left) } : undefined;
  }
}

class StackFailedError extends errorOf('unprocessable', (reason: string) => reason) {}

class TimedOutError extends errorOf(
  'gone',
  (action: string) => `${action.charAt(0)}${action.slice(1).toLowerCase()} timed out`,
) {}
