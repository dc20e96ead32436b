import type { ClusterState } from './cluster.states.js';

/** As Magnum's clients read it: CREATE_IN_PROGRESS. */
export function statusOf(state: ClusterState): string {
  return state.toUpperCase();
}
