import type { Wait } from '@cumulet/common/reconcile/reconciler';
import type { Cluster } from '../clusters/cluster.entity.js';
import { ClusterTimedOutError } from './cluster-work.errors.js';
import { minutesFor } from '../clusters/cluster.states.js';

/**
 * Waits for the next look or the cluster's time-out, whichever is first.
 * @param missing the reason of a time-out
 * @throws ClusterTimedOutError
 */
export function waitOrGiveUp(row: Cluster, waitMs: number, missing: string): Wait {
  const left = (row.timeoutAt?.getTime() ?? Infinity) - Date.now();
  if (left > 0) return { waitMs: Math.min(waitMs, left) };
  throw timedOut(row, missing);
}

export function timedOut(row: Cluster, missing: string): ClusterTimedOutError {
  const [action = ''] = row.state.split('_');
  const name = `${action.charAt(0).toUpperCase()}${action.slice(1)}`;
  return new ClusterTimedOutError(name, minutesFor(row, row.state), missing);
}
