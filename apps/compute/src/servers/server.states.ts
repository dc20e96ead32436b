/**
 * The states of a server and the events between them. Nova's `status`, `vm_state` and `task_state`
 * derive from them (server-status.ts).
 */
import {
  defineStates,
  type StateDefinition,
  type EventDefinition,
} from '@cumulet/common/states/state-table';

/** States with a deadline (in seconds) are transitional. */
export const STATES = {
  scheduling: { about: 'Accepted; a host is being chosen.', deadline: 60 },
  building: {
    about: 'Its host fetches the image, makes the disk and starts the guest.',
    deadline: 900,
  },
  active: { about: 'The guest runs.' },
  stopping: {
    about: 'The guest was asked to shut down; its power is cut if it does not.',
    deadline: 300,
  },
  stopped: { about: 'The guest is off; its disk is kept.' },
  starting: { about: 'The guest is being started from its disk.', deadline: 300 },
  rebooting: { about: 'The guest shuts down by itself and is started again.', deadline: 300 },
  'hard-rebooting': { about: 'The power is cut and the guest started again.', deadline: 300 },
  pausing: { about: "The guest's processors are being stopped.", deadline: 300 },
  paused: { about: 'The guest is stopped; its machine keeps its memory.' },
  unpausing: { about: 'The guest is being resumed.', deadline: 300 },
  suspending: { about: "The guest's memory is being written to its disk.", deadline: 600 },
  suspended: { about: 'The guest has no machine; its memory is on its disk.' },
  resuming: {
    about: 'The guest gets a machine again, with its saved memory.',
    deadline: 600,
  },
  resizing: {
    about: 'The guest is shut down, its disk kept and grown, and its new flavor applied.',
    deadline: 600,
  },
  migrating: {
    about: 'The guest is shut down, and its disks become images for another host.',
    deadline: 14_400,
  },
  arriving: {
    about: 'Its new host fetches those images, makes the disks and starts the guest.',
    deadline: 900,
  },
  'undoing-resize': { about: 'A failed resize is being undone.', deadline: 600 },
  resized: {
    about: 'The guest has its new flavor; its former state is kept until it is confirmed.',
  },
  confirming: { about: "The server's state before its resize is being discarded.", deadline: 300 },
  reverting: { about: "The server's state before its resize is being restored.", deadline: 600 },
  rebuilding: {
    about: 'The guest is off, and gets a new disk from an image.',
    deadline: 900,
  },
  rescuing: { about: 'The guest is shut down, to boot another image.', deadline: 900 },
  rescued: { about: 'The guest runs from another image, with its own disk as the second.' },
  unrescuing: { about: 'The guest is booted from its own disk again.', deadline: 300 },
  snapshotting: {
    about: 'An image is being made of its disk while the guest runs.',
    deadline: 14_400,
  },
  'snapshotting-stopped': { about: 'An image is being made of its disk.', deadline: 14_400 },
  'snapshotting-paused': {
    about: 'An image is being made of its disk while the guest is paused.',
    deadline: 14_400,
  },
  'snapshotting-suspended': {
    about: 'An image is being made of its disk, without its memory.',
    deadline: 14_400,
  },
  shelving: {
    about: 'The guest shuts down, and an image is made of its disk.',
    deadline: 14_400,
  },
  'shelving-stopped': { about: 'An image is made of its disk.', deadline: 14_400 },
  'shelving-suspended': {
    about: 'An image is made of its disk; its memory will be gone with its host.',
    deadline: 14_400,
  },
  shelved: { about: 'It is stored as an image; its host keeps its disk, without a machine.' },
  offloading: { about: 'Its host removes it; its image is kept.', deadline: 300 },
  'shelved-offloaded': { about: "It is stored as an image, and uses no host's resources." },
  'unshelve-scheduling': { about: 'It is being unshelved; a host is being chosen.', deadline: 60 },
  unshelving: {
    about: 'Its new host fetches its image, makes the disk and starts the guest.',
    deadline: 900,
  },
  'unshelving-here': { about: 'The guest is being started where it was.', deadline: 300 },
  deleting: {
    about: 'The guest and its disk are being removed, and then the row.',
    deadline: 300,
  },
  error: { about: 'It failed for good; `fault` says why. It can be deleted.' },
} as const satisfies Record<string, StateDefinition>;

export type ServerState = keyof typeof STATES;

const ALL_STATES = Object.keys(STATES) as ServerState[];

function allBut(...left: readonly ServerState[]): ServerState[] {
  return ALL_STATES.filter((state) => !left.includes(state));
}

export const TRANSITIONAL_STATES = ALL_STATES.filter((state) => 'deadline' in STATES[state]);

/** Events lead servers from state to state. An action is allowed where one of its events is. */
export const EVENTS = {
  place: { from: ['scheduling'], to: 'building', by: 'the scheduler, with the host claimed' },
  built: {
    from: ['building'],
    to: 'active',
    set: { triedHosts: [] },
    by: 'the reconciler',
  },
  reschedule: {
    from: ['building'],
    to: 'scheduling',
    set: { host: null },
    by: 'the reconciler, after a failure of the host, if another may succeed',
  },
  stop: { from: ['active', 'error'], to: 'stopping', by: 'os-stop' },
  stopped: { from: ['stopping'], to: 'stopped', by: 'the reconciler' },
  start: { from: ['stopped'], to: 'starting', by: 'os-start' },
  started: { from: ['starting'], to: 'active', by: 'the reconciler' },
  reboot: { from: ['active'], to: 'rebooting', by: 'reboot SOFT' },
  'hard-reboot': {
    from: [
      'active',
      'stopped',
      'paused',
      'suspended',
      'rebooting',
      'hard-rebooting',
      'pausing',
      'unpausing',
      'suspending',
      'resuming',
      'error',
    ],
    to: 'hard-rebooting',
    // The failure may have been its rescue's.
    set: { rescueImage: null },
    by: 'reboot HARD',
  },
  rebooted: { from: ['rebooting', 'hard-rebooting'], to: 'active', by: 'the reconciler' },
  pause: { from: ['active'], to: 'pausing', by: 'pause' },
  paused: { from: ['pausing'], to: 'paused', by: 'the reconciler' },
  'not-paused': {
    from: ['pausing'],
    to: 'active',
    by: 'the reconciler, if it cannot be paused',
  },
  unpause: { from: ['paused'], to: 'unpausing', by: 'unpause' },
  unpaused: { from: ['unpausing'], to: 'active', by: 'the reconciler' },
  suspend: { from: ['active'], to: 'suspending', by: 'suspend' },
  suspended: { from: ['suspending'], to: 'suspended', by: 'the reconciler' },
  'not-suspended': {
    from: ['suspending'],
    to: 'active',
    by: 'the reconciler, if it cannot be suspended',
  },
  resume: { from: ['suspended'], to: 'resuming', by: 'resume' },
  resumed: { from: ['resuming'], to: 'active', by: 'the reconciler' },
  resize: { from: ['active', 'stopped'], to: 'resizing', by: 'resize, migrate' },
  send: {
    from: ['resizing'],
    to: 'migrating',
    by: 'the scheduler, with room on another host claimed',
  },
  'hand-over': {
    from: ['migrating'],
    to: 'arriving',
    by: 'the reconciler; its new host continues',
  },
  resized: {
    from: ['resizing', 'arriving'],
    to: 'resized',
    set: { guestOff: false },
    by: 'the reconciler',
  },
  'undo-resize': {
    from: ['resizing', 'migrating', 'arriving'],
    to: 'undoing-resize',
    by: 'the reconciler, if it cannot be resized',
  },
  'resize-undone': { from: ['undoing-resize'], to: 'active', by: 'the reconciler' },
  'resize-undone-off': { from: ['undoing-resize'], to: 'stopped', by: 'the reconciler' },
  'confirm-resize': { from: ['resized'], to: 'confirming', by: 'confirmResize, or its time' },
  confirmed: { from: ['confirming'], to: 'active', by: 'the reconciler' },
  'confirmed-off': { from: ['confirming'], to: 'stopped', by: 'the reconciler' },
  'revert-resize': { from: ['resized'], to: 'reverting', by: 'revertResize' },
  reverted: { from: ['reverting'], to: 'active', by: 'the reconciler' },
  'reverted-off': { from: ['reverting'], to: 'stopped', by: 'the reconciler' },
  rebuild: {
    from: ['active', 'stopped', 'error'],
    to: 'rebuilding',
    set: { rescueImage: null, returnsTo: null },
    by: 'rebuild',
  },
  evacuate: {
    from: ['active', 'stopped', 'error'],
    to: 'rebuilding',
    set: { rescueImage: null },
    by: 'evacuate, with another host claimed',
  },
  rebuilt: { from: ['rebuilding'], to: 'active', by: 'the reconciler' },
  'rebuilt-off': { from: ['rebuilding'], to: 'stopped', by: 'the reconciler' },
  rescue: { from: ['active', 'stopped', 'error'], to: 'rescuing', by: 'rescue' },
  rescued: {
    from: ['rescuing'],
    to: 'rescued',
    set: { guestOff: false },
    by: 'the reconciler',
  },
  unrescue: {
    from: ['rescued'],
    to: 'unrescuing',
    set: { rescueImage: null },
    by: 'unrescue',
  },
  unrescued: { from: ['unrescuing'], to: 'active', by: 'the reconciler' },
  snapshot: { from: ['active'], to: 'snapshotting', by: 'createImage, createBackup' },
  'snapshot-stopped': {
    from: ['stopped'],
    to: 'snapshotting-stopped',
    by: 'createImage, createBackup',
  },
  'snapshot-paused': {
    from: ['paused'],
    to: 'snapshotting-paused',
    by: 'createImage, createBackup',
  },
  'snapshot-suspended': {
    from: ['suspended'],
    to: 'snapshotting-suspended',
    by: 'createImage, createBackup',
  },
  snapshotted: {
    from: ['snapshotting'],
    to: 'active',
    by: 'the reconciler, also if no image could be made',
    set: { snapshot: null },
  },
  'snapshotted-stopped': {
    from: ['snapshotting-stopped'],
    to: 'stopped',
    by: 'the reconciler, likewise',
    set: { snapshot: null },
  },
  'snapshotted-paused': {
    from: ['snapshotting-paused'],
    to: 'paused',
    by: 'the reconciler, likewise',
    set: { snapshot: null },
  },
  'snapshotted-suspended': {
    from: ['snapshotting-suspended'],
    to: 'suspended',
    by: 'the reconciler, likewise',
    set: { snapshot: null },
  },
  shelve: { from: ['active', 'paused'], to: 'shelving', by: 'shelve' },
  'shelve-stopped': { from: ['stopped'], to: 'shelving-stopped', by: 'shelve' },
  'shelve-suspended': { from: ['suspended'], to: 'shelving-suspended', by: 'shelve' },
  'not-shelved': {
    from: ['shelving'],
    to: 'active',
    by: 'the reconciler, if no image could be made',
    set: { snapshot: null },
  },
  'not-shelved-stopped': {
    from: ['shelving-stopped'],
    to: 'stopped',
    by: 'the reconciler, likewise',
    set: { snapshot: null },
  },
  'not-shelved-suspended': {
    from: ['shelving-suspended'],
    to: 'suspended',
    by: 'the reconciler, likewise',
    set: { snapshot: null },
  },
  shelved: {
    from: ['shelving', 'shelving-stopped', 'shelving-suspended'],
    to: 'shelved',
    by: 'the reconciler, if a shelved server keeps its host for a while',
  },
  offload: {
    from: ['shelving', 'shelving-stopped', 'shelving-suspended'],
    to: 'offloading',
    by: 'the reconciler, if it does not',
  },
  'shelve-offload': { from: ['shelved'], to: 'offloading', by: 'shelveOffload, and a sweep' },
  offloaded: { from: ['offloading'], to: 'shelved-offloaded', by: 'the reconciler' },
  unshelve: { from: ['shelved-offloaded'], to: 'unshelve-scheduling', by: 'unshelve' },
  'place-again': {
    from: ['unshelve-scheduling'],
    to: 'unshelving',
    by: 'the scheduler, with the host claimed',
  },
  'unshelve-here': { from: ['shelved'], to: 'unshelving-here', by: 'unshelve' },
  unshelved: {
    from: ['unshelving', 'unshelving-here'],
    to: 'active',
    by: 'the reconciler; then a sweep removes the image',
  },
  'not-placed-again': {
    from: ['unshelve-scheduling'],
    to: 'shelved-offloaded',
    by: 'the reconciler, if no host has room',
  },
  'not-unshelved': {
    from: ['unshelving'],
    to: 'shelved-offloaded',
    by: 'the reconciler, if it cannot be unshelved',
  },
  'not-unshelved-here': {
    from: ['unshelving-here'],
    to: 'shelved',
    by: 'the reconciler, likewise',
  },
  'guest-stopped': {
    from: ['active', 'paused'],
    to: 'stopping',
    by: 'the guest, by powering itself off; its machine is then ended',
  },
  'guest-lost': {
    from: ['active'],
    to: 'starting',
    by: 'the host agent, after a reboot of the host, or if it is paused since the host went down',
  },
  'reset-to-active': {
    from: allBut(
      'scheduling',
      'building',
      'deleting',
      // Servers in these have no host.
      'offloading',
      'shelved-offloaded',
      'unshelve-scheduling',
      'unshelving',
      // The disk is on another host than the row says.
      'arriving',
    ),
    to: 'active',
    set: { rescueImage: null },
    by: 'os-resetState',
  },
  'reset-to-error': { from: allBut('deleting'), to: 'error', by: 'os-resetState' },
  delete: {
    from: allBut('deleting'),
    to: 'deleting',
    by: 'DELETE',
  },
  fail: {
    from: TRANSITIONAL_STATES,
    to: 'error',
    by: 'the reconciler, or the sweeper past the deadline or if the host went down',
  },
} as const satisfies Record<string, EventDefinition<ServerState>>;

export type ServerEvent = keyof typeof EVENTS;

export const serverStates = defineStates<ServerState, ServerEvent>({
  resource: 'server',
  table: 'servers',
  initial: 'scheduling',
  failure: 'fail',
  states: STATES,
  events: EVENTS,
});
