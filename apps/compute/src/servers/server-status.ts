/** Nova's three status words, from a server's state (Nova API guide, "Server concepts"). */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Server } from './server.entity.js';
import { ServerStateConflictError, ServerLockedError } from './server.errors.js';
import type { ServerState } from './server.states.js';
import { snapshotTaskOf } from './snapshots/snapshot.js';

export interface ServerStatus {
  readonly status: string;
  readonly vmState: string;
  readonly taskState: string | null;
  /** 0 no state, 1 running, 3 paused, 4 shut down. */
  readonly powerState: number;
}

const NO_STATE = 0;
const RUNNING = 1;
const PAUSED = 3;
export const SHUT_DOWN = 4;

function words(
  status: string,
  vmState: string,
  taskState: string | null,
  powerState: number,
): ServerStatus {
  return { status, vmState, taskState, powerState };
}

const DELETED = words('DELETED', 'deleted', null, NO_STATE);

const STATUS: Readonly<Record<Exclude<ServerState, 'deleting'>, ServerStatus>> = {
  scheduling: words('BUILD', 'building', 'scheduling', NO_STATE),
  building: words('BUILD', 'building', 'spawning', NO_STATE),
  active: words('ACTIVE', 'active', null, RUNNING),
  stopping: words('ACTIVE', 'active', 'powering-off', RUNNING),
  stopped: words('SHUTOFF', 'stopped', null, SHUT_DOWN),
  starting: words('SHUTOFF', 'stopped', 'powering-on', SHUT_DOWN),
  rebooting: words('REBOOT', 'active', 'rebooting', RUNNING),
  'hard-rebooting': words('HARD_REBOOT', 'active', 'rebooting_hard', RUNNING),
  pausing: words('ACTIVE', 'active', 'pausing', RUNNING),
  paused: words('PAUSED', 'paused', null, PAUSED),
  unpausing: words('PAUSED', 'paused', 'unpausing', PAUSED),
  suspending: words('ACTIVE', 'active', 'suspending', RUNNING),
  suspended: words('SUSPENDED', 'suspended', null, SHUT_DOWN),
  resuming: words('SUSPENDED', 'suspended', 'resuming', SHUT_DOWN),
  // Words of a server that was running; see wordsOf.
  rebuilding: words('REBUILD', 'active', 'rebuilding', RUNNING),
  rescuing: words('ACTIVE', 'active', 'rescuing', RUNNING),
  rescued: words('RESCUE', 'rescued', null, RUNNING),
  unrescuing: words('RESCUE', 'rescued', 'unrescuing', RUNNING),
  resizing: words('RESIZE', 'active', 'resize_prep', RUNNING),
  migrating: words('RESIZE', 'active', 'resize_migrating', RUNNING),
  arriving: words('RESIZE', 'active', 'resize_finish', RUNNING),
  'undoing-resize': words('RESIZE', 'active', 'resize_reverting', RUNNING),
  resized: words('VERIFY_RESIZE', 'resized', null, RUNNING),
  confirming: words('VERIFY_RESIZE', 'resized', 'resize_confirming', RUNNING),
  reverting: words('REVERT_RESIZE', 'resized', 'resize_reverting', RUNNING),
  // Words of these, and of shelving, depend on progress; see wordsOf.
  snapshotting: words('ACTIVE', 'active', 'image_snapshot_pending', RUNNING),
  'snapshotting-stopped': words('SHUTOFF', 'stopped', 'image_snapshot_pending', SHUT_DOWN),
  'snapshotting-paused': words('PAUSED', 'paused', 'image_snapshot_pending', PAUSED),
  'snapshotting-suspended': words('SUSPENDED', 'suspended', 'image_snapshot_pending', SHUT_DOWN),
  shelving: words('ACTIVE', 'active', 'shelving', RUNNING),
  'shelving-stopped': words('SHUTOFF', 'stopped', 'shelving', SHUT_DOWN),
  'shelving-suspended': words('SUSPENDED', 'suspended', 'shelving', SHUT_DOWN),
  shelved: words('SHELVED', 'shelved', null, SHUT_DOWN),
  offloading: words('SHELVED', 'shelved', 'shelving_offloading', SHUT_DOWN),
  'shelved-offloaded': words('SHELVED_OFFLOADED', 'shelved_offloaded', null, SHUT_DOWN),
  'unshelve-scheduling': words('SHELVED_OFFLOADED', 'shelved_offloaded', 'unshelving', SHUT_DOWN),
  unshelving: words('SHELVED_OFFLOADED', 'shelved_offloaded', 'spawning', SHUT_DOWN),
  'unshelving-here': words('SHELVED', 'shelved', 'unshelving', SHUT_DOWN),
  error: words('ERROR', 'error', null, NO_STATE),
};

/** The facts that determine a server's words. */
type StatusFacts = Pick<Server, 'state' | 'previousState'> &
  Partial<Pick<Server, 'returnsTo' | 'guestOff' | 'deletedAt' | 'snapshot'>>;

/** A server that is being deleted keeps its words, with `deleting` as its task. */
export function statusOf(server: StatusFacts): ServerStatus {
  const { state, previousState, deletedAt = null } = server;
  if (deletedAt !== null) return DELETED;
  if (state !== 'deleting') return wordsOf(state, server);
  const before = previousState === null || previousState === 'deleting' ? 'active' : previousState;
  return { ...wordsOf(before, server), taskState: 'deleting' };
}

/** States of a resize; a server that was off stays off. */
export const RESIZE_STATES: readonly ServerState[] = [
  'resizing',
  'migrating',
  'arriving',
  'undoing-resize',
  'resized',
  'confirming',
  'reverting',
];

/** States of a server that may be off, by its former state. */
const DISK_STATES: readonly ServerState[] = ['rebuilding', 'rescuing'];

/** States in which a guest that goes off by itself is noted. */
export const WATCHED_STATES: readonly ServerState[] = [
  'rescued',
  'unrescuing',
  'resized',
  'confirming',
  'reverting',
];

/** States in which an image is made. */
export const SNAPSHOT_STATES: readonly ServerState[] = [
  'snapshotting',
  'snapshotting-stopped',
  'snapshotting-paused',
  'snapshotting-suspended',
  'shelving',
  'shelving-stopped',
  'shelving-suspended',
];

function wordsOf(state: Exclude<ServerState, 'deleting'>, server: StatusFacts): ServerStatus {
  const found = STATUS[state];
  if (SNAPSHOT_STATES.includes(state) && server.snapshot)
    return { ...found, taskState: snapshotTaskOf(server.snapshot) };
  const isOff =
    (RESIZE_STATES.includes(state) && server.returnsTo === 'stopped') ||
    (WATCHED_STATES.includes(state) && server.guestOff === true) ||
    (DISK_STATES.includes(state) && server.previousState === 'stopped');
  if (!isOff) return found;
  const vmState = found.vmState === 'active' ? 'stopped' : found.vmState;
  const status = found.status === 'ACTIVE' ? 'SHUTOFF' : found.status;
  return { ...found, status, vmState, powerState: SHUT_DOWN };
}

/** Whether its guest runs as far as its row knows, or was seen to be off by itself. */
export function isWatched({ state, returnsTo }: Pick<Server, 'state' | 'returnsTo'>): boolean {
  return (
    ['active', 'paused', 'rescued'].includes(state) ||
    (state === 'resized' && returnsTo !== 'stopped')
  );
}

/** Whether a list's status means deleted servers, which have no state. */
export function isDeletedStatus(status: string): boolean {
  return status.toUpperCase() === DELETED.status;
}

/**
 * Nova's refusal of an action in a server's state: for its task, if the action would otherwise be
 * allowed.
 * @param allowed the states that allow the action
 */
export function conflictOf(
  action: string,
  server: Pick<Server, 'id'> & StatusFacts,
  allowed: readonly ServerState[],
): ServerStateConflictError {
  const { vmState, taskState } = statusOf(server);
  const others = allowed.filter((state) => state !== server.state);
  const isBusy = others.some(
    (state) => statusOf({ state, previousState: null }).vmState === vmState,
  );
  return taskState !== null && isBusy
    ? new ServerStateConflictError(action, server.id, 'task_state', taskState)
    : new ServerStateConflictError(action, server.id, 'vm_state', vmState);
}

/**
 * A lock keeps a project's members from changing a server. Public source: Nova API guide, "Server
 * actions: Lock".
 * @throws ServerLockedError for everyone but administrators, if the server is locked
 */
export function requireUnlocked(
  ctx: RequestContext,
  { id, lockedBy }: Pick<Server, 'id' | 'lockedBy'>,
): void {
  if (lockedBy !== null && !ctx.isAdmin) throw new ServerLockedError(id);
}

/** The owner of this caller's lock. */
export function lockerOf(ctx: RequestContext, { projectId }: Server): 'owner' | 'admin' {
  return ctx.fields.projectId === projectId ? 'owner' : 'admin';
}
