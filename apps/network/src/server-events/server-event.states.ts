import { defineStates } from '@cumulet/common/states/state-table';

export type ServerEventState = 'waiting' | 'given_up';
export type ServerEventEvent = 'give-up';

/** A row that compute has been told is gone, and so is one that was given up. */
export const serverEventStates = defineStates<ServerEventState, ServerEventEvent>({
  resource: 'server_event',
  table: 'server_events',
  initial: 'waiting',
  states: {
    // As long as compute waits for a port to come up (nova, `vif_plugging_timeout`).
    waiting: {
      about: 'Compute is to be told of it; the row goes once it has been.',
      deadline: 300,
    },
    given_up: { about: 'Compute would not hear of it, or not in time; the row goes, too.' },
  },
  events: { 'give-up': { from: ['waiting'], to: 'given_up', by: 'reconciler' } },
  failure: 'give-up',
});
