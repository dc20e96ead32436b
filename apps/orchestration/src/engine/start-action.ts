/** Starts a stack's actions: the first, with its row, and those that supersede an earlier one. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { nudge } from '@cumulet/common/jobs/nudge';
import { CONFIG } from '@cumulet/common/service/tokens';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { initialState, RowChangedError, transition } from '@cumulet/common/states/transition';
import type { OrchestrationConfig } from '../config.js';
import { StackEventRepository } from '../rows/stack-event.repository.js';
import type { Stack } from '../rows/stack.entity.js';
import { GRACE_SECONDS, stackStates, type StackAction } from '../rows/stack.states.js';
import { stackTable } from '../rows/stack.repository.js';
import type { ActionData } from './stored.js';
import { nudgeOfStack } from '../rows/stack-nudges.js';

export interface ActionColumns extends Partial<
  Pick<
    Stack,
    | 'templateId'
    | 'previousTemplateId'
    | 'timeoutMinutes'
    | 'disableRollback'
    | 'tags'
    | 'description'
    | 'trustId'
    | 'formerTrustIds'
  >
> {
  readonly data?: ActionData;
}

@Injectable()
export class ActionStart {
  constructor(
    @Inject(CONFIG)
    private readonly config: Pick<OrchestrationConfig, 'stackTimeoutMinutes' | 'errorWaitSeconds'>,
    private readonly events: StackEventRepository,
    private readonly sealed: SealedJson,
  ) {}

  /** Seconds that work in progress has after the stack has failed. */
  get errorWaitSeconds(): number {
    return this.config.errorWaitSeconds;
  }

  secondsOf({ timeoutMinutes }: Pick<Stack, 'timeoutMinutes'>): number {
    return (timeoutMinutes || this.config.stackTimeoutMinutes) * 60;
  }

  /**
   * Inserts a new stack, with its first event.
   * @param seconds that its first action may take
   * @throws StackExistsError
   */
  async first(
    tx: RequestContext,
    data: ActionData,
    seconds: number,
    fields: Partial<Stack> & Pick<Stack, 'action'>,
  ): Promise<Stack> {
    const reason = `Stack ${fields.action} started`;
    const end = (more: number): Date => new Date(Date.now() + (seconds + more) * 1_000);
    const stack = await stackTable.insert(tx, {
      ...fields,
      ...initialState(stackStates),
      stateDeadline: end(GRACE_SECONDS),
      timeoutAt: end(0),
      actionData: this.#sealed(data),
      stateReason: reason,
    });
    await this.events.write(tx, stack, stack.action, 'IN_PROGRESS', reason);
    await nudge(tx, nudgeOfStack(stack.id));
    return stack;
  }

  /**
   * Locks the stack. Its action may have ended since it was read, and dropped a template.
   * @throws RowChangedError if another action has begun
   */
  async lock(tx: RequestContext, { id, traversal }: Stack): Promise<Stack> {
    const stack = await stackTable.lock(tx, id);
    if (stack.traversal !== traversal) throw new RowChangedError('stack', id, 'act');
    return stack;
  }

  /**
   * @param stack as it was read; an action that has begun since prevails
   * @param seconds that it may take; by default the stack's timeout
   * @throws RowChangedError if another action has begun
   */
  async start(
    tx: RequestContext,
    stack: Stack,
    action: StackAction,
    { data = {}, ...columns }: ActionColumns = {},
    seconds = this.secondsOf({ timeoutMinutes: columns.timeoutMinutes ?? stack.timeoutMinutes }),
  ): Promise<void> {
    const { id, traversal } = stack;
    const reason = `Stack ${action} started`;
    await transition(tx, stackStates, id, 'act', {
      only: { traversal },
      set: {
        action,
        traversal: traversal + 1,
        stage: 'planning',
        remaining: 0,
        failure: null,
        actionData: this.#sealed(data),
        timeoutAt: new Date(Date.now() + seconds * 1_000),
        ...(stack.action === 'CREATE' && action === 'ROLLBACK' ? {} : { updatedAt: new Date() }),
        ...columns,
      },
      deadline: seconds + GRACE_SECONDS,
      reason,
    });
    await this.events.write(tx, stack, action, 'IN_PROGRESS', reason);
    await nudge(tx, nudgeOfStack(id));
  }

  #sealed(data: ActionData): string | null {
    return Object.keys(data).length === 0 ? null : this.sealed.seal(data);
  }
}
