import type { Wait } from '@cumulet/common/reconcile/reconciler';
import type { Cluster } from '../clusters/cluster.entity.js';
import { ClusterTimedOutError } from './cluster-work.errors.js';
import { minutesFor } from '../clusters/cluster.states.js';

/**
 * Until the next look, or the cluster's time-out, whichever is first.
 * @param missing what is waited for, as the reason of one that is out of time
 * @throws ClusterTimedOutError
 */
export function waitOrGiveUp(row: Cluster, waitMs: number, missing: string): Wait {
  const left = (row.timeoutAt?.getTime() ?? Infinity) - Date.now();
  if (left > 0) return { waitMs: Math.min(waitMs, left) };
  throw outOfTime(row, missing);
}

/** @param missing what has not come */
export function outOfTime(row: Cluster, missing: string): ClusterTimedOutError {
  const [action = ''] = row.state.split('_');
  const name = `${action.charAt(0).toUpperCase()}${action.slice(1)}`;
  return new ClusterTimedOutError(name, minutesFor(row, row.state), missing);
}
