/**
 * The states of a server and the events between them. Nova's `status`, `vm_state` and `task_state`
 * derive from them (server-status.ts).
 */
import { defineStates } from '@cumulet/common/states/state-table';

export type ServerState =
  | 'scheduling'
  | 'building'
  | 'active'
  | 'stopping'
  | 'stopped'
  | 'starting'
  | 'rebooting'
  | 'hard-rebooting'
  | 'deleting'
  | 'error';

export type ServerEvent =
  | 'place'
  | 'built'
  | 'stop'
  | 'stopped'
  | 'start'
  | 'started'
  | 'reboot'
  | 'hard-reboot'
  | 'rebooted'
  | 'guest-stopped'
  | 'guest-lost'
  | 'reset-to-active'
  | 'reset-to-error'
  | 'delete'
  | 'fail';

const ALL_BUT_DELETING = [
  'scheduling',
  'building',
  'active',
  'stopping',
  'stopped',
  'starting',
  'rebooting',
  'hard-rebooting',
  'error',
] as const satisfies readonly ServerState[];

/** Those in which a server has neither a guest nor a disk that could be declared to be well. */
const UNBUILT: readonly ServerState[] = ['scheduling', 'building'];

export const serverStates = defineStates<ServerState, ServerEvent>({
  resource: 'server',
  table: 'servers',
  initial: 'scheduling',
  failure: 'fail',
  states: {
    scheduling: { about: 'Accepted; a host is being chosen.', deadline: 60 },
    building: {
      about: 'Its host fetches the image, makes the disk and starts the guest.',
      deadline: 900,
    },
    active: { about: 'The guest runs.' },
    stopping: {
      about: 'The guest was asked to shut down; its power is cut when it does not.',
      deadline: 300,
    },
    stopped: { about: 'The guest is off; its disk is kept.' },
    starting: { about: 'The guest is being started from its disk.', deadline: 300 },
    rebooting: { about: 'The guest shuts down by itself and is started again.', deadline: 300 },
    'hard-rebooting': { about: 'The power is cut and the guest started again.', deadline: 300 },
    deleting: {
      about: 'The guest and its disk are being removed; then the row is.',
      deadline: 300,
    },
    error: { about: 'Something failed for good; `fault` says what. It can be deleted.' },
  },
  events: {
    place: { from: ['scheduling'], to: 'building', by: 'the scheduler, with the host claimed' },
    built: { from: ['building'], to: 'active', by: 'the reconciler' },
    stop: { from: ['active', 'error'], to: 'stopping', by: 'os-stop' },
    stopped: { from: ['stopping'], to: 'stopped', by: 'the reconciler' },
    start: { from: ['stopped'], to: 'starting', by: 'os-start' },
    started: { from: ['starting'], to: 'active', by: 'the reconciler' },
    reboot: { from: ['active'], to: 'rebooting', by: 'reboot SOFT' },
    'hard-reboot': {
      from: ['active', 'stopped', 'rebooting', 'hard-rebooting', 'error'],
      to: 'hard-rebooting',
      by: 'reboot HARD',
    },
    rebooted: { from: ['rebooting', 'hard-rebooting'], to: 'active', by: 'the reconciler' },
    'guest-stopped': {
      from: ['active'],
      to: 'stopping',
      by: 'the guest, by powering itself off; what is left of its machine is then ended',
    },
    'guest-lost': {
      from: ['active'],
      to: 'starting',
      by: 'the host agent, after a reboot of the host',
    },
    'reset-to-active': {
      from: ALL_BUT_DELETING.filter((state) => !UNBUILT.includes(state)),
      to: 'active',
      by: 'os-resetState',
    },
    'reset-to-error': { from: ALL_BUT_DELETING, to: 'error', by: 'os-resetState' },
    delete: {
      from: ALL_BUT_DELETING,
      to: 'deleting',
      by: 'DELETE',
    },
    fail: {
      from: [
        'scheduling',
        'building',
        'stopping',
        'starting',
        'rebooting',
        'hard-rebooting',
        'deleting',
      ],
      to: 'error',
      by: 'the reconciler, or the sweeper past the deadline',
    },
  },
});
