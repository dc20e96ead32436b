/** Stacks begin: they are created, or take over what another cloud's stack has left. */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { initialState } from '@cumulet/common/states/transition';
import { StackEventRepository } from '../../events/stack-event.repository.js';
import { OrchestrationQuotas } from '../../quotas/orchestration-quotas.js';
import { SealedJson } from '../../sealing/sealed-json.js';
import type { Stack, StackId } from '../../stacks/stack.entity.js';
import { GRACE_SECONDS, stackStates } from '../../stacks/stack.states.js';
import { stackTable } from '../../stacks/stack.table.js';
import type { ReadTemplate } from '../../template/read-template.js';
import { nudgeOfStack } from '../goals/settle.js';
import type { AbandonedStack, NewStack } from '../stack-commands.js';
import { StackTemplates } from '../stack-templates.js';
import { ActionStart } from '../start-action.js';
import type { ActionData } from '../stored.js';
import { adoptedOf } from './adopted.js';
import { countOf, NewTemplates } from './new-templates.js';
import { Trusts } from './trusts.js';

@Injectable()
export class CreateStack {
  constructor(
    private readonly newTemplates: NewTemplates,
    private readonly templates: StackTemplates,
    private readonly quotas: OrchestrationQuotas,
    private readonly trusts: Trusts,
    private readonly actions: ActionStart,
    private readonly writing: StackWriting,
  ) {}

  async create(ctx: RequestContext, request: NewStack): Promise<Stack> {
    return this.begin(ctx, request, 'CREATE', {});
  }

  /** Resources that the data does not name fail to be adopted. */
  async adopt(ctx: RequestContext, request: NewStack, data: AbandonedStack): Promise<Stack> {
    return this.begin(ctx, request, 'ADOPT', { adopted: adoptedOf(data) });
  }

  private async begin(
    ctx: RequestContext,
    request: NewStack,
    action: 'CREATE' | 'ADOPT',
    data: ActionData,
  ): Promise<Stack> {
    const id = asId<StackId>(randomUUID());
    const { name } = request;
    const template = await this.newTemplates.read(ctx, request, {
      ...{ id, name, projectId: ctx.projectId },
    });
    return this.trusts.withNew(ctx, (trustId) =>
      inTransaction(ctx, async (tx) => {
        await this.quotas.claim(tx, { stacks: 1, resources_per_stack: countOf(template) });
        return this.insert(tx, request, template, { id, action, trustId, data });
      }),
    );
  }

  private async insert(
    tx: RequestContext,
    request: NewStack,
    template: ReadTemplate,
    own: Pick<Stack, 'id' | 'action' | 'trustId'> & { data: ActionData },
  ): Promise<Stack> {
    const { id, action, trustId, data } = own;
    const { name, timeoutMinutes = null, disableRollback = true, tags = [] } = request;
    const seconds = this.actions.secondsOf({ timeoutMinutes });
    return this.writing.insert(tx, {
      ...{ id, rootId: id, name, action, trustId, timeoutMinutes, disableRollback },
      ...{ projectId: tx.projectId, userId: asId(tx.userId), description: template.description },
      ...{ tags: [...tags], templateId: await this.templates.store(tx, template) },
      ...this.writing.begun(seconds, data),
    });
  }
}

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
      ...{ state, stateSince, stateDeadline: end(GRACE_SECONDS), timeoutAt: end(0) },
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
