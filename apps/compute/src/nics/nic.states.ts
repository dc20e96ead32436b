/** The states of a server's NIC, besides the server's own. */
import { defineStates } from '@cumulet/common/states/state-table';

export type NicState = 'attached' | 'attaching' | 'refreshing' | 'detaching' | 'releasing';
export type NicEvent =
  | 'attach'
  | 'plugged'
  | 'look'
  | 'seen'
  | 'not-seen'
  | 'port-gone'
  | 'detach'
  | 'unplugged'
  | 'not-unplugged'
  | 'fail'
  | 'retry';

export const nicStates = defineStates<NicState, NicEvent>({
  resource: 'server_nic',
  table: 'server_nics',
  initial: 'attached',
  states: {
    attached: { about: 'In use; the start and end of the server also handle its port.' },
    attaching: { about: 'Its port is bound, and it is plugged into the guest.', deadline: 120 },
    refreshing: { about: 'Its port may have changed, and is read again.', deadline: 120 },
    detaching: { about: 'The guest is asked to release it.', deadline: 120 },
    releasing: { about: 'Its port is deleted or freed, and then the row deleted.', deadline: 300 },
  },
  events: {
    attach: { from: ['attached'], to: 'attaching', by: 'POST os-interface, with the row' },
    plugged: { from: ['attaching'], to: 'attached', by: 'the reconciler' },
    look: {
      from: ['attached', 'refreshing'],
      to: 'refreshing',
      by: 'an external event, or the slow sweep',
    },
    seen: { from: ['refreshing'], to: 'attached', by: 'the reconciler' },
    'not-seen': {
      from: ['refreshing'],
      to: 'attached',
      by: 'the reconciler; the sweep looks again later',
    },
    'port-gone': { from: ['refreshing'], to: 'releasing', by: 'the reconciler' },
    detach: {
      // Any attached part is released: the runs of a NIC take turns.
      from: ['attached', 'attaching', 'refreshing'],
      to: 'detaching',
      by: 'DELETE os-interface',
    },
    unplugged: { from: ['detaching'], to: 'releasing', by: 'the reconciler' },
    'not-unplugged': {
      from: ['detaching'],
      to: 'attached',
      by: 'the reconciler, if the guest does not release it',
    },
    fail: { from: ['attaching'], to: 'releasing', by: 'the reconciler' },
    retry: { from: ['releasing'], to: 'releasing', by: 'the reconciler' },
  },
  failure: ['not-seen', 'not-unplugged', 'fail', 'retry'],
});

/** Work on NICs that needs no host. */
export const NIC_TASK = 'server_nic';

/** Work on NICs of a host's guests, which only that host's worker takes. */
export function nicTaskOfHost(host: string): string {
  return `${NIC_TASK}@${host}`;
}

export function taskOfNic({
  state,
  host,
}: {
  readonly state: NicState;
  readonly host: string | null;
}): string {
  return state === 'refreshing' || host === null ? NIC_TASK : nicTaskOfHost(host);
}
