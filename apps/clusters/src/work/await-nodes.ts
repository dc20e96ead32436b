/** Waits until all nodes are ready, and names those that are not. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Wait } from '@cumulet/common/reconcile/reconciler';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { Condition } from '../clusters/conditions.js';
import type { Node } from '../nodes/node.entity.js';
import { nodes } from '../nodes/node.repository.js';
import { note, noteCondition } from './cluster-row.js';
import { NodeFailedError } from './cluster-work.errors.js';
import { describeNodes, describeParting } from './describe.js';
import { waitOrGiveUp } from './time-outs.js';

/** Reports wake the cluster; this covers lost wake-ups. */
const LOOK_MS = 5_000;

@Injectable()
export class AwaitNodes {
  /** @throws NodeFailedError, ClusterTimedOutError */
  async wait(ctx: RequestContext, row: Cluster): Promise<Wait | undefined> {
    const all = await nodes.ofCluster(ctx, row.id);
    const wanted = all.filter(({ fate }) => fate === 'wanted');
    const masters = wanted.filter(({ role }) => role === 'master');
    const workers = wanted.filter(({ role }) => role === 'worker');
    await noteCondition(ctx, row, 'control_plane', conditionOf(row, masters));
    await noteCondition(ctx, row, 'nodes', conditionOf(row, workers));
    await noteCondition(ctx, row, 'addons', addonsCondition(masters));
    const failed = wanted.filter(hasFailed);
    if (failed.length > 0) throw new NodeFailedError(capitalised(describeNodes(failed)));
    const missing = wanted.filter((node) => !isReady(row, node));
    if (missing.length > 0) return waitOrGiveUp(row, LOOK_MS, describeNodes(missing));
    const parting = all.filter(({ fate }) => fate === 'parting');
    if (parting.length > 0) return waitOrGiveUp(row, LOOK_MS, describeParting(parting));
    await noteVersion(ctx, row, masters);
    return undefined;
  }
}

/** A node that was ready may recover, so only earlier failures count. */
function hasFailed({ status, phase }: Node): boolean {
  return status === 'FAILED' && phase !== 'ready';
}

function isReady({ pkiGeneration }: Cluster, node: Node): boolean {
  // A node that reports no generation has no certificates to renew.
  const isCurrent = node.pkiGeneration === null || node.pkiGeneration >= pkiGeneration;
  return node.status === 'READY' && isCurrent;
}

function conditionOf(row: Cluster, wanted: readonly Node[]): Condition {
  const failed = wanted.filter(hasFailed);
  if (failed.length > 0) return { status: 'failed', reason: describeNodes(failed) };
  const missing = wanted.filter((node) => !isReady(row, node));
  if (missing.length === 0) return { status: 'ready', reason: '' };
  // Without times, which would change at each look.
  const words = missing.slice(0, 3).map(({ name, phase }) => `${name} (${phase ?? 'silent'})`);
  return {
    status: 'pending',
    reason: `Waiting for ${missing.length} of ${wanted.length}: ${words.join(', ')}.`,
  };
}

function addonsCondition(masters: readonly Node[]): Condition {
  const all = masters.flatMap(({ addons }) => Object.entries(addons));
  const missing = all.filter(([, { ready }]) => !ready);
  if (missing.length > 0)
    return {
      status: 'pending',
      reason: missing.map(([name, { message }]) => `${name}: ${message || 'not ready'}`).join('; '),
    };
  const areUp = masters.length > 0 && masters.every(({ status }) => status === 'READY');
  return { status: areUp ? 'ready' : 'pending', reason: '' };
}

/** The version of the control plane. */
async function noteVersion(
  ctx: RequestContext,
  row: Cluster,
  masters: readonly Node[],
): Promise<void> {
  const coeVersion = masters.find(({ version }) => version !== null)?.version ?? row.coeVersion;
  if (coeVersion !== row.coeVersion) await note(ctx, row, { coeVersion });
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
