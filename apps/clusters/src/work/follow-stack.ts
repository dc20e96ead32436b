/** Updates the infrastructure to match the rows, and waits for it. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Wait } from '@cumulet/common/reconcile/reconciler';
import type { Cluster } from '../clusters/cluster.entity.js';
import { ChosenEngine } from '../engine/chosen-engine.js';
import type { InfrastructureOutputs, InfrastructureState } from '../engine/cluster-engine.js';
import type { Node } from '../nodes/node.entity.js';
import { nodes } from '../nodes/node.repository.js';
import { NodeTokens } from '../nodes/node-token.js';
import { stackSpecOf } from '../stack/stack-template.js';
import { note, noteCondition } from './cluster-row.js';
import { InfrastructureFailedError, InfrastructureGoneError } from './cluster-work.errors.js';
import { describeFailures, nodeOf } from './describe.js';
import { nodeRows } from '../nodes/node-rows.js';
import { waitOrGiveUp } from './time-outs.js';

const LOOK_MS = 2_000;

@Injectable()
export class FollowStack {
  constructor(
    private readonly engine: ChosenEngine,
    private readonly tokens: NodeTokens,
  ) {}

  async apply(ctx: RequestContext, row: Cluster): Promise<void> {
    const served = (await nodes.ofCluster(ctx, row.id)).filter(isServed);
    const spec = stackSpecOf(row, served, (id) => this.tokens.of(id));
    if (row.stackDigest === spec.digest) return;
    const engine = await this.engine.of(ctx);
    // Cleared before the update, since a crash in between leaves an unknown stack.
    if (row.stackDigest !== null) await note(ctx, row, { stackDigest: null });
    const stackId = await engine.apply(ctx, row, spec);
    await note(ctx, row, { stackId, stackDigest: spec.digest });
    await noteCondition(ctx, row, 'infrastructure', { status: 'pending', reason: '' });
  }

  /** @throws InfrastructureFailedError, InfrastructureGoneError, ClusterTimedOutError */
  async wait(ctx: RequestContext, row: Cluster): Promise<Wait | undefined> {
    const engine = await this.engine.of(ctx);
    const all = await nodes.ofCluster(ctx, row.id);
    const state = await engine.observe(ctx, row, all.filter(isServed));
    if (!state) throw new InfrastructureGoneError();
    switch (state.status) {
      case 'IN_PROGRESS': {
        const reason = 'The servers and what is around them are being made.';
        await noteCondition(ctx, row, 'infrastructure', { status: 'pending', reason });
        return waitOrGiveUp(row, LOOK_MS, `the stack is still at work (${state.reason})`);
      }
      case 'FAILED':
        return this.#failed(ctx, row, state, all);
      case 'COMPLETE':
        await this.#told(ctx, row, state.outputs);
        return undefined;
    }
  }

  /** Deletes rows of nodes whose servers are gone, and of empty leaving groups. */
  async forgetGone(ctx: RequestContext, row: Cluster): Promise<void> {
    const all = await nodes.ofCluster(ctx, row.id);
    const gone = all.filter(({ fate }) => fate === 'leaving').map(({ id }) => id);
    await inTransaction(ctx, async (tx) => {
      await nodes.forget(tx, gone);
      await nodeRows.forgetGroups(tx, row.id);
    });
  }

  async #failed(
    ctx: RequestContext,
    row: Cluster,
    { reason, failures }: Extract<InfrastructureState, { status: 'FAILED' }>,
    all: readonly Node[],
  ): Promise<never> {
    for (const failure of failures) {
      const node = nodeOf(failure, all);
      if (node) await nodeRows.markFailed(ctx, row.id, node.id, failure.reason);
    }
    const words = describeFailures(reason, failures, all);
    await noteCondition(ctx, row, 'infrastructure', { status: 'failed', reason: words });
    // A retry must update the stack even with the same template.
    await note(ctx, row, { stackDigest: null });
    throw new InfrastructureFailedError(words);
  }

  async #told(ctx: RequestContext, row: Cluster, outputs: InfrastructureOutputs): Promise<void> {
    const { networkId, subnetId, apiAddress, apiPublicAddress } = outputs;
    await nodeRows.setAddresses(ctx, row.id, outputs.nodes);
    const address = `https://${apiPublicAddress ?? apiAddress}:${row.blueprint.apiPort}`;
    const isKnown = row.apiAddress === address && row.infrastructure?.subnetId === subnetId;
    if (!isKnown)
      await note(ctx, row, { apiAddress: address, infrastructure: { networkId, subnetId } });
    await noteCondition(ctx, row, 'infrastructure', { status: 'ready', reason: '' });
  }
}

/** Whether it has, or should have, a server. */
function isServed({ fate }: Node): boolean {
  return fate !== 'leaving';
}
