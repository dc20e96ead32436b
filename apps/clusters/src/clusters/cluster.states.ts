/**
 * The states of a cluster, which its status shows in capitals. Public source: Container
 * Infrastructure Management API reference, "Manage Cluster".
 */
import { defineStates } from '@cumulet/common/states/state-table';

export type ClusterAction = 'create' | 'update' | 'rollback' | 'delete';

export type ClusterState = `${ClusterAction}_${'in_progress' | 'complete' | 'failed'}`;

export type ClusterEvent =
  | 'update'
  | 'resize'
  | 'heal'
  | 'upgrade'
  | 'remove'
  | 'roll_back'
  | 'succeed_create'
  | 'succeed_update'
  | 'succeed_rollback'
  | 'fail_create'
  | 'fail_update'
  | 'fail_rollback'
  | 'fail_delete';

/** Seconds that a cluster has beyond its time-out, in which it ends itself with a better reason. */
export const GRACE_SECONDS = 60;

const PATH = '/v1/clusters/{cluster_ident}';

/** Nothing is under way: what has failed goes on with the next change, which Magnum would refuse. */
const AT_REST = [
  'create_complete',
  'create_failed',
  'update_complete',
  'update_failed',
  'rollback_complete',
  'rollback_failed',
] as const satisfies readonly ClusterState[];

/** Kubernetes' autoscaler asks at any time for another size. */
const MAY_RESIZE = [...AT_REST, 'update_in_progress'] as const satisfies readonly ClusterState[];

/** Where nothing is under way and nothing has failed: what is missing then is made again. */
const SETTLED = [
  'create_complete',
  'update_complete',
  'update_failed',
  'rollback_complete',
] as const satisfies readonly ClusterState[];

export const clusterStates = defineStates<ClusterState, ClusterEvent>({
  resource: 'cluster',
  table: 'clusters',
  initial: 'create_in_progress',
  states: {
    create_in_progress: {
      about: 'The stack and the nodes of the cluster are being created.',
      deadline: 3_600,
    },
    create_complete: { about: 'All its nodes have said that they are ready.' },
    create_failed: { about: 'The cluster could not be created; its reason says why.' },
    update_in_progress: {
      about: 'The nodes are being changed to match the node groups.',
      deadline: 3_600,
    },
    update_complete: { about: 'The nodes match the node groups.' },
    update_failed: { about: 'A change could not be made, for the reason that it names.' },
    rollback_in_progress: {
      about: 'A change has failed; the node groups are being restored.',
      deadline: 3_600,
    },
    rollback_complete: { about: 'The cluster has been restored after a change that failed.' },
    rollback_failed: { about: 'Not even what it was before could be made again.' },
    delete_in_progress: {
      about: 'All that it has goes: also what Kubernetes has made for it.',
      deadline: 3_600,
    },
    delete_complete: { about: 'The cluster has been deleted; no row has this state.' },
    delete_failed: { about: 'Something of it could not be removed; deleting it again goes on.' },
  },
  events: {
    update: { from: AT_REST, to: 'update_in_progress', by: `PATCH ${PATH}` },
    resize: {
      from: MAY_RESIZE,
      to: 'update_in_progress',
      by: `POST ${PATH}/actions/resize and node groups`,
    },
    upgrade: {
      from: SETTLED,
      to: 'update_in_progress',
      by: `POST ${PATH}/actions/upgrade, PATCH /v1/certificates/{cluster_ident}`,
    },
    heal: { from: SETTLED, to: 'update_in_progress', by: 'a node of it is gone' },
    remove: {
      from: [
        ...MAY_RESIZE,
        'create_in_progress',
        'rollback_in_progress',
        'delete_in_progress',
        'delete_failed',
      ],
      to: 'delete_in_progress',
      by: `DELETE ${PATH}`,
    },
    roll_back: {
      from: ['update_failed'],
      to: 'rollback_in_progress',
      by: 'reconciler, where the change was made with rollback',
    },
    succeed_create: { from: ['create_in_progress'], to: 'create_complete', by: 'reconciler' },
    succeed_update: { from: ['update_in_progress'], to: 'update_complete', by: 'reconciler' },
    succeed_rollback: { from: ['rollback_in_progress'], to: 'rollback_complete', by: 'reconciler' },
    fail_create: { from: ['create_in_progress'], to: 'create_failed', by: 'reconciler' },
    fail_update: { from: ['update_in_progress'], to: 'update_failed', by: 'reconciler' },
    fail_rollback: { from: ['rollback_in_progress'], to: 'rollback_failed', by: 'reconciler' },
    fail_delete: { from: ['delete_in_progress'], to: 'delete_failed', by: 'reconciler' },
  },
  failure: ['fail_create', 'fail_update', 'fail_rollback', 'fail_delete'],
});

/** As Magnum's clients read it: CREATE_IN_PROGRESS. */
export function statusOf(state: ClusterState): string {
  return state.toUpperCase();
}

interface Timed {
  /** Minutes. */
  readonly createTimeout: number;
}

/** Where its client says 0. */
const DEFAULT_MINUTES = 60;

export function minutesOf({ createTimeout }: Timed): number {
  return createTimeout === 0 ? DEFAULT_MINUTES : createTimeout;
}

/** Of an end, whose duration has nothing to do with how long a cluster may take to be made. */
const REMOVAL_MINUTES = 60;

/** How long work that leads to this state may take. */
export function minutesFor(cluster: Timed, state: ClusterState): number {
  const minutes = minutesOf(cluster);
  return state === 'delete_in_progress' ? Math.max(minutes, REMOVAL_MINUTES) : minutes;
}

/** When a cluster that begins now is out of time, and the seconds of its state, which has some more. */
export function timeOf(
  cluster: Timed,
  state: ClusterState,
): { readonly timeoutAt: Date; readonly deadline: number } {
  const seconds = minutesFor(cluster, state) * 60;
  return { timeoutAt: new Date(Date.now() + seconds * 1_000), deadline: seconds + GRACE_SECONDS };
}

/** The same as columns: of a row that is made, and of work that goes on with further time. */
export function timeColumns(
  cluster: Timed,
  state: ClusterState = clusterStates.initial,
): { readonly timeoutAt: Date; readonly stateDeadline: Date } {
  const { timeoutAt, deadline } = timeOf(cluster, state);
  return { timeoutAt, stateDeadline: new Date(Date.now() + deadline * 1_000) };
}
