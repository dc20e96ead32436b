import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { nudge } from '@cumulet/common/jobs/nudge';
import { initialState } from '@cumulet/common/states/transition';
import { StackEventRepository } from '../../rows/stack-event.repository.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import type { Stack } from '../../rows/stack.entity.js';
import { GRACE_SECONDS, stackStates } from '../../rows/stack.states.js';
import { stackTable } from '../../rows/stack.table.js';
import type { ActionData } from '../stored.js';
import { nudgeOfStack } from '../../rows/wake.js';

/** The row of a new stack, with its first event. */
@Injectable()
export class StackWriting {
  constructor(
    private readonly events: StackEventRepository,
    private readonly sealed: SealedJson,
  ) {}

  /** @param seconds that its first action may take */
  begun(seconds: number, data: ActionData): Partial<Stack> {
    const { state, stateSince } = initialState(stackStates);
    const end = (more: number): Date => new Date(Date.now() + (seconds + more) * 1_000);
    return {
      state,
      stateSince,
      stateDeadline: end(GRACE_SECONDS),
      timeoutAt: end(0),
      actionData: Object.keys(data).length === 0 ? null : this.sealed.seal(data),
    };
  }

  /** @throws StackExistsError */
  async insert(tx: RequestContext, fields: Partial<Stack> & Pick<Stack, 'action'>): Promise<Stack> {
    const reason = `Stack ${fields.action} started`;
    const stack = await stackTable.insert(tx, { ...fields, stateReason: reason });
    await this.events.write(tx, stack, stack.action, 'IN_PROGRESS', reason);
    await nudge(tx, nudgeOfStack(stack.id));
    return stack;
  }
}
