/** Moves one resource of a stack towards its goal, by the steps in `engine/goals`. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { nudge } from '@cumulet/common/jobs/nudge';
import type { Plan, Reconciler } from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import type { OrchestrationConfig } from '../config.js';
import { stackReason } from './failure-reason.js';
import { Applying } from './goals/applying.js';
import { hidingValues, OVERDUE } from './goals/phases.js';
import { OtherGoals } from './goals/others.js';
import { Removing } from './goals/removing.js';
import { ResourceTools } from './goals/resource-tools.js';
import { nudgeOfStack, shareStack } from '../rows/stack-nudges.js';
import { softwareDeployments } from '../software-deployments/software-deployment.repository.js';
import type { LoadedResource } from '../rows/stack-resource.entity.js';
import { StackWorkRepository } from '../rows/stack-work.repository.js';
import { ResourceEndRepository } from '../rows/resource-end.repository.js';
import { StackResourceRepository } from '../rows/stack-resource.repository.js';
import {
  resourceStates,
  type ResourceAction,
  type ResourceEvent,
  type ResourceGoal,
  type ResourceState,
} from '../rows/stack-resource.states.js';

const TASK = 'stack_resource';

/** The action that clients see if the work fails before anything was shown. */
const ACTIONS: Readonly<Record<ResourceGoal, ResourceAction>> = {
  applying: 'CREATE',
  removing: 'DELETE',
  checking: 'CHECK',
  suspending: 'SUSPEND',
  resuming: 'RESUME',
  snapshotting: 'SNAPSHOT',
};

@Reconciles(({ concurrency }: OrchestrationConfig) => [{ tasks: [TASK], concurrency }])
@Injectable()
export class StackResourceReconciler implements Reconciler<
  LoadedResource,
  ResourceState,
  ResourceEvent
> {
  readonly states = resourceStates;
  readonly plans: Partial<Record<ResourceState, Plan<LoadedResource, ResourceEvent>>>;

  constructor(
    private readonly rows: StackResourceRepository,
    private readonly ends: ResourceEndRepository,
    private readonly stacks: StackWorkRepository,
    applying: Applying,
    removing: Removing,
    others: OtherGoals,
    tools: ResourceTools,
  ) {
    const plans = { applying: applying.plan, removing: removing.plan, ...others.plans };
    this.plans = Object.fromEntries(
      Object.entries(plans).map(([state, plan]) => [
        state,
        hidingValues(plan, (ctx, stackId) => tools.hiddenOf(ctx, stackId)),
      ]),
    );
  }

  taskOf(): string {
    return TASK;
  }

  load(ctx: RequestContext, id: string): Promise<LoadedResource | undefined> {
    return this.rows.load(ctx, id);
  }

  beforeEnd(tx: RequestContext, { stackId }: LoadedResource): Promise<void> {
    return shareStack(tx, stackId);
  }

  /** @param event `fail`; success is recorded by the last step itself */
  async ended(
    tx: RequestContext,
    id: string,
    event: ResourceEvent,
    reason: string | null,
  ): Promise<void> {
    const row = await this.rows.load(tx, id);
    if (event !== 'fail' || !row) return;
    const action = actionOf(row);
    // The deadline was short because the stack had already failed.
    const isEnded = reason === OVERDUE && row.stackState === 'failed';
    const said = isEnded ? `${action} aborted` : (reason ?? '');
    const failure = { action, status: 'FAILED', reason: said, properties: null } as const;
    await this.ends.fail(tx, row, failure);
    await this.rows.writeEvent(tx, row, failure);
    // A later report of the server is refused, and the owner sees why.
    if (row.physicalId !== null && !row.isExternal)
      await softwareDeployments.cancel(tx, row.projectId, row.physicalId);
    if (await this.stacks.failStack(tx, row, stackReason(action, failure.reason)))
      await nudge(tx, nudgeOfStack(row.stackId));
  }
}

function actionOf({ action, status, previousState, properties }: LoadedResource): ResourceAction {
  if (status === 'IN_PROGRESS') return action;
  if (previousState === 'applying' && properties !== null) return 'UPDATE';
  return ACTIONS[previousState as ResourceGoal];
}
