/**
 * Moves a cluster towards its rows. Creating and changing are the same loop: plan a step, update
 * the stack, wait for the nodes, until nothing is left to do.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { fromForeign } from '@cumulet/common/errors/foreign-errors';
import {
  type Phase,
  phase,
  type Plan,
  type Reconciler,
  type Scope,
  type Wait,
} from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import { Injectable } from '@nestjs/common';
import type { Cluster } from '../clusters/cluster.entity.js';
import { type ClusterEvent, type ClusterState, clusterStates } from '../clusters/cluster.states.js';
import { clusters } from '../clusters/cluster.repository.js';
import type { ClustersConfig } from '../config.js';
import { AwaitNodes } from './await-nodes.js';
import { CLUSTER_TASK } from './begin-work.js';
import { note, TRYING_AGAIN } from './cluster-row.js';
import { EndWork } from './end-work.js';
import { FollowStack } from './follow-stack.js';
import { MakeNodes } from './make-nodes.js';
import { timedOut } from './time-outs.js';
import { RemoveCluster } from './remove-cluster.js';

/**
 * A phase that is retried while another service does not answer. The error is the cluster's reason
 * meanwhile, and the reason of a time-out.
 * @throws ClusterTimedOutError
 */
function retrying(
  name: string,
  run: (scope: Scope<Cluster>) => Promise<Wait | undefined> | Promise<void>,
): Phase<Cluster> {
  return phase(name, async (scope) => {
    try {
      return (await run(scope)) ?? undefined;
    } catch (thrown) {
      const error = fromForeign(thrown);
      if (!isPassing(error)) throw error;
      const { ctx, row } = scope;
      if (isLate(row)) throw timedOut(row, error.message);
      const words = `${TRYING_AGAIN}${error.message}`;
      if (row.stateReason !== words) await note(ctx, row, { stateReason: words });
      throw error;
    }
  });
}

function isPassing(error: unknown): error is DomainError {
  return (
    error instanceof DomainError && (error.kind === 'transient' || error.kind === 'unavailable')
  );
}

function isLate({ timeoutAt }: Cluster): boolean {
  return timeoutAt !== null && timeoutAt.getTime() <= Date.now();
}

const NEXT_STEP: Wait = { waitMs: 0 };

@Reconciles(({ concurrency }: ClustersConfig) => [{ tasks: [CLUSTER_TASK], concurrency }])
@Injectable()
export class ClusterReconciler implements Reconciler<Cluster, ClusterState, ClusterEvent> {
  readonly states = clusterStates;
  readonly plans: Partial<Record<ClusterState, Plan<Cluster, ClusterEvent>>>;

  constructor(
    making: MakeNodes,
    stack: FollowStack,
    waiting: AwaitNodes,
    private readonly end: EndWork,
    removing: RemoveCluster,
  ) {
    const converge: readonly Phase<Cluster>[] = [
      retrying('ensureSecrets', ({ ctx, row }) => making.ensureSecrets(ctx, row)),
      retrying('ensureTrustee', ({ ctx, row }) => making.ensureTrustee(ctx, row)),
      retrying('planNodes', ({ ctx, row }) => making.plan(ctx, row)),
      retrying('applyStack', ({ ctx, row }) => stack.apply(ctx, row)),
      retrying('awaitStack', ({ ctx, row }) => stack.wait(ctx, row)),
      retrying('forgetGone', ({ ctx, row }) => stack.forgetGone(ctx, row)),
      retrying('awaitNodes', ({ ctx, row }) => waiting.wait(ctx, row)),
      retrying('removeFormerTrustees', ({ ctx, row }) => making.removeFormerTrustees(ctx, row)),
      retrying('goOn', async ({ ctx, row }: Scope<Cluster>) =>
        (await making.isDone(ctx, row)) ? undefined : NEXT_STEP,
      ),
    ];
    this.plans = {
      create_in_progress: { phases: converge, then: 'succeed_create' },
      update_in_progress: { phases: converge, then: 'succeed_update' },
      rollback_in_progress: { phases: converge, then: 'succeed_rollback' },
      delete_in_progress: {
        phases: [
          retrying('removeLeftovers', ({ ctx, row }) => removing.removeLeftovers(ctx, row)),
          retrying('removeStack', ({ ctx, row }) => removing.removeStack(ctx, row)),
          retrying('removeLateLeftovers', ({ ctx, row }) => removing.removeLeftovers(ctx, row)),
          retrying('removeTrustee', ({ ctx, row }) => removing.removeTrustee(ctx, row)),
          retrying('forget', ({ ctx, row }) => removing.forget(ctx, row)),
        ],
      },
    };
  }

  taskOf(): string {
    return CLUSTER_TASK;
  }

  load(ctx: RequestContext, id: string): Promise<Cluster | undefined> {
    return clusters.find(ctx, id);
  }

  ended(tx: RequestContext, id: string, event: ClusterEvent, reason: string | null): Promise<void> {
    return this.end.ended(tx, id, event, reason);
  }
}
