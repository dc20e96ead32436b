/**
 * The states of a cluster; the status is the state in capitals. Public source: Container
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

/** Seconds from the cluster's time-out, which gives a better reason, to the state's deadline. */
export const GRACE_SECONDS = 60;

const PATH = '/v1/clusters/{cluster_ident}';

/** No work is in progress. Unlike Magnum, a failed cluster accepts changes, which retry. */
const AT_REST = [
  'create_complete',
  'create_failed',
  'update_complete',
  'update_failed',
  'rollback_complete',
  'rollback_failed',
] as const satisfies readonly ClusterState[];

/** The cluster autoscaler may resize at any time. */
const MAY_RESIZE = [...AT_REST, 'update_in_progress'] as const satisfies readonly ClusterState[];

/** No work is in progress, and all nodes once existed: missing ones are recreated. */
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
    create_complete: { about: 'All nodes are ready.' },
    create_failed: { about: 'The cluster could not be created.' },
    update_in_progress: {
      about: 'The nodes are being changed to match the node groups.',
      deadline: 3_600,
    },
    update_complete: { about: 'The nodes match the node groups.' },
    update_failed: { about: 'A change has failed.' },
    rollback_in_progress: {
      about: 'A change has failed; the node groups are being restored.',
      deadline: 3_600,
    },
    rollback_complete: { about: 'The cluster has been restored after a failed change.' },
    rollback_failed: { about: 'The rollback of a failed change has failed, too.' },
    delete_in_progress: {
      about: 'The cluster is being deleted, including what Kubernetes created for it.',
      deadline: 3_600,
    },
    delete_complete: { about: 'The cluster has been deleted; no row has this state.' },
    delete_failed: {
      about: 'Part of the cluster could not be deleted; repeating the deletion continues it.',
    },
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
    heal: { from: SETTLED, to: 'update_in_progress', by: 'healing, for lost nodes' },
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
      by: 'reconciler, if the change was made with rollback',
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

/** CREATE_IN_PROGRESS. */
export function statusOf(state: ClusterState): string {
  return state.toUpperCase();
}

interface Timed {
  /** Minutes. */
  readonly createTimeout: number;
}

/** For a create_timeout of 0. */
const DEFAULT_MINUTES = 60;

export function minutesOf({ createTimeout }: Timed): number {
  return createTimeout === 0 ? DEFAULT_MINUTES : createTimeout;
}

/** A deletion's duration is unrelated to that of a creation. */
const REMOVAL_MINUTES = 60;

/** The time limit of work in this state. */
export function minutesFor(cluster: Timed, state: ClusterState): number {
  const minutes = minutesOf(cluster);
  return state === 'delete_in_progress' ? Math.max(minutes, REMOVAL_MINUTES) : minutes;
}

/** The time-out of work that begins now, and the later deadline of its state in seconds. */
export function timeOf(
  cluster: Timed,
  state: ClusterState,
): { readonly timeoutAt: Date; readonly deadline: number } {
  const seconds = minutesFor(cluster, state) * 60;
  return { timeoutAt: new Date(Date.now() + seconds * 1_000), deadline: seconds + GRACE_SECONDS };
}

/** The same as columns, for new rows and for work whose time restarts. */
export function timeColumns(
  cluster: Timed,
  state: ClusterState = clusterStates.initial,
): { readonly timeoutAt: Date; readonly stateDeadline: Date } {
  const { timeoutAt, deadline } = timeOf(cluster, state);
  return { timeoutAt, stateDeadline: new Date(Date.now() + deadline * 1_000) };
}
