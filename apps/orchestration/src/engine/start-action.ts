/** The beginning of a stack's action, which makes an earlier one out of date. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { nudge } from '@cumulet/common/jobs/nudge';
import { CONFIG } from '@cumulet/common/service/tokens';
import { transition } from '@cumulet/common/states/transition';
import type { OrchestrationConfig } from '../config.js';
import { StackEventRepository } from '../rows/stack-event.repository.js';
import type { Stack } from '../rows/stack.entity.js';
import { GRACE_SECONDS, stackStates, type StackAction } from '../rows/stack.states.js';
import { nudgeOfStack } from '../rows/wake.js';

export type ActionColumns = Partial<
  Pick<
    Stack,
    | 'templateId'
    | 'previousTemplateId'
    | 'actionData'
    | 'timeoutMinutes'
    | 'disableRollback'
    | 'tags'
    | 'description'
    | 'trustId'
    | 'formerTrustIds'
  >
>;

@Injectable()
export class ActionStart {
  constructor(
    @Inject(CONFIG)
    private readonly config: Pick<OrchestrationConfig, 'stackTimeoutMinutes' | 'errorWaitSeconds'>,
    private readonly events: StackEventRepository,
  ) {}

  /** Seconds that what is under way has once the stack has failed. */
  get errorWaitSeconds(): number {
    return this.config.errorWaitSeconds;
  }

  /** Seconds that an action of the stack may take. */
  secondsOf({ timeoutMinutes }: Pick<Stack, 'timeoutMinutes'>): number {
    return (timeoutMinutes || this.config.stackTimeoutMinutes) * 60;
  }

  /**
   * @param stack as it was found: where another action has begun since, that one stands
   * @param seconds that it may take; by default those of its time-out
   * @throws RowChangedError where one has
   */
  async start(
    tx: RequestContext,
    stack: Stack,
    action: StackAction,
    columns: ActionColumns = {},
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
        actionData: null,
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
}
