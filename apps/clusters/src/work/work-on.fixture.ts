import type { RequestContext } from '@cumulet/common/context/request-context';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler, type ReconcileOutcome } from '@cumulet/common/reconcile/run-reconciler';
import type { ClusterReconciler } from './cluster.reconciler.js';
import { nodes } from '../nodes/node.repository.js';

const logger = createLogger('test', 'silent');

/** More steps than any change takes. */
const MAX_STEPS = 50;

/** Works on a cluster until it is settled, or waits for an event. */
export async function workOn(
  reconciler: ClusterReconciler,
  ctx: RequestContext,
  id: string,
): Promise<ReconcileOutcome> {
  let before = '';
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const outcome = await runReconciler(reconciler, ctx, id, 0, { logger });
    const row = await reconciler.load(ctx, id);
    if (!row || !reconciler.plans[row.state]) return outcome;
    const said = (await nodes.ofCluster(ctx, row.id)).map(({ heardAt: _, ...node }) => node);
    const after = JSON.stringify([row.state, said]);
    if (outcome === 'waiting' && after === before) return outcome;
    before = after;
  }
  throw new Error(`cluster ${id} has not settled in ${MAX_STEPS} steps`);
}
