import { defineStates } from '@cumulet/common/states/state-table';

export type ServerEventState = 'waiting' | 'given_up';
export type ServerEventEvent = 'give-up';

/** Rows of delivered and abandoned events are deleted. */
export const serverEventStates = defineStates<ServerEventState, ServerEventEvent>({
  resource: 'server_event',
  table: 'server_events',
  initial: 'waiting',
  states: {
    // As long as compute waits for a port to come up (nova, `vif_plugging_timeout`).
    waiting: {
      about: 'The event is to be delivered to compute; the row is deleted afterwards.',
      deadline: 300,
    },
    given_up: {
      about: 'Compute has refused the event or could not be reached in time; the row is deleted.',
    },
  },
  events: { 'give-up': { from: ['waiting'], to: 'given_up', by: 'reconciler' } },
  failure: 'give-up',
});
