/** Deletes what Kubernetes created, the stack, the user, the trusts, and the row. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Wait } from '@cumulet/common/reconcile/reconciler';
import { looseTrusts } from '@cumulet/common/trusts/loose-trust.repository';
import type { Cluster } from '../clusters/cluster.entity.js';
import { clusters } from '../clusters/cluster.repository.js';
import { ClusterTrusts, trustsOf } from '../clusters/cluster-trusts.js';
import { ChosenEngine } from '../engine/chosen-engine.js';
import type { InfrastructureState } from '../engine/cluster-engine.js';
import { nodes } from '../nodes/node.repository.js';
import { noteCondition } from './cluster-row.js';
import { InfrastructureFailedError } from './cluster-work.errors.js';
import { describeFailures } from './describe.js';
import { waitOrGiveUp } from './time-outs.js';

const LOOK_MS = 2_000;
/** Marks that this work has requested the deletion, so that a failure counts as its own. */
const ASKED = 'The stack is being deleted.';

@Injectable()
export class RemoveCluster {
  constructor(
    private readonly engine: ChosenEngine,
    private readonly trusts: ClusterTrusts,
  ) {}

  /** Runs first, since load balancers would keep the cluster's network from being deleted. */
  async removeLeftovers(ctx: RequestContext, row: Cluster): Promise<Wait | undefined> {
    const engine = await this.engine.of(ctx);
    const left = await engine.removeLeftovers(ctx, row);
    if (left.length === 0) return undefined;
    const reason = `Waiting for load balancers of Kubernetes: ${left.join(', ')}.`;
    await noteCondition(ctx, row, 'infrastructure', { status: 'pending', reason });
    return waitOrGiveUp(
      row,
      LOOK_MS,
      `load balancers of Kubernetes are still there (${left.join(', ')})`,
    );
  }

  async removeStack(ctx: RequestContext, row: Cluster): Promise<Wait | undefined> {
    const engine = await this.engine.of(ctx);
    const all = await nodes.ofCluster(ctx, row.id);
    const state = await engine.observe(ctx, row, all);
    if (!state) return undefined;
    const isAsked = row.conditions.infrastructure?.reason === ASKED;
    if (isAsked && state.status === 'FAILED')
      throw new InfrastructureFailedError(describeFailures(state.reason, state.failures, all));
    // Repeated at each look, since the stack may have been changed since.
    await engine.remove(ctx, row);
    await noteCondition(ctx, row, 'infrastructure', { status: 'pending', reason: ASKED });
    // Masters that still run may create further load balancers.
    await engine.removeLeftovers(ctx, row);
    return waitOrGiveUp(row, LOOK_MS, `the stack is still there (${wordsOf(state)})`);
  }

  async removeTrustee(ctx: RequestContext, row: Cluster): Promise<void> {
    const engine = await this.engine.of(ctx);
    for (let generation = 1; generation <= row.credentialWanted; generation += 1)
      await engine.removeTrustee(ctx, row, generation);
  }

  /** Deletes the row and releases its trusts; a sweep ends those that cannot be ended now. */
  async forget(ctx: RequestContext, row: Cluster): Promise<void> {
    const trustIds = await inTransaction(ctx, async (tx) => {
      // A repeated deletion may have added a trust.
      const held = trustsOf(await clusters.lock(tx, row.id));
      await looseTrusts.add(tx, held);
      await clusters.delete(tx, { id: row.id });
      return held;
    });
    await this.trusts.endAll(ctx, trustIds);
  }
}

function wordsOf(state: InfrastructureState): string {
  return state.status === 'COMPLETE' ? 'its end has not begun' : state.reason;
}
