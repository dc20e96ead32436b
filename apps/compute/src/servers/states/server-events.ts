import type { EventDefinition } from '@cumulet/common/states/state-table';
import { allBut, TRANSITIONAL_STATES, type ServerState } from './server-states.js';

/** The events that lead servers from state to state. An action is allowed where one of its events is. */
export const EVENTS = {
  place: { from: ['scheduling'], to: 'building', by: 'the scheduler, with the host claimed' },
  built: { from: ['building'], to: 'active', by: 'the reconciler' },
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
    by: 'reboot HARD',
  },
  rebooted: { from: ['rebooting', 'hard-rebooting'], to: 'active', by: 'the reconciler' },
  pause: { from: ['active'], to: 'pausing', by: 'pause' },
  paused: { from: ['pausing'], to: 'paused', by: 'the reconciler' },
  'not-paused': {
    from: ['pausing'],
    to: 'active',
    by: 'the reconciler, where it cannot be paused',
  },
  unpause: { from: ['paused'], to: 'unpausing', by: 'unpause' },
  unpaused: { from: ['unpausing'], to: 'active', by: 'the reconciler' },
  suspend: { from: ['active'], to: 'suspending', by: 'suspend' },
  suspended: { from: ['suspending'], to: 'suspended', by: 'the reconciler' },
  'not-suspended': {
    from: ['suspending'],
    to: 'active',
    by: 'the reconciler, where it cannot be suspended',
  },
  resume: { from: ['suspended'], to: 'resuming', by: 'resume' },
  resumed: { from: ['resuming'], to: 'active', by: 'the reconciler' },
  resize: { from: ['active', 'stopped'], to: 'resizing', by: 'resize' },
  resized: { from: ['resizing'], to: 'resized', by: 'the reconciler' },
  'undo-resize': {
    from: ['resizing'],
    to: 'undoing-resize',
    by: 'the reconciler, where it cannot be resized',
  },
  'resize-undone': { from: ['undoing-resize'], to: 'active', by: 'the reconciler' },
  'resize-undone-off': { from: ['undoing-resize'], to: 'stopped', by: 'the reconciler' },
  'confirm-resize': { from: ['resized'], to: 'confirming', by: 'confirmResize, or its time' },
  confirmed: { from: ['confirming'], to: 'active', by: 'the reconciler' },
  'confirmed-off': { from: ['confirming'], to: 'stopped', by: 'the reconciler' },
  'revert-resize': { from: ['resized'], to: 'reverting', by: 'revertResize' },
  reverted: { from: ['reverting'], to: 'active', by: 'the reconciler' },
  'reverted-off': { from: ['reverting'], to: 'stopped', by: 'the reconciler' },
  'guest-stopped': {
    from: ['active', 'paused'],
    to: 'stopping',
    by: 'the guest, by powering itself off; what is left of its machine is then ended',
  },
  'guest-lost': {
    from: ['active'],
    to: 'starting',
    by: 'the host agent, after a reboot of the host',
  },
  'reset-to-active': {
    from: allBut('scheduling', 'building', 'deleting'),
    to: 'active',
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
    by: 'the reconciler, or the sweeper past the deadline',
  },
} as const satisfies Record<string, EventDefinition<ServerState>>;

export type ServerEvent = keyof typeof EVENTS;
