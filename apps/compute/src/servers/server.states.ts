/**
 * The states of a server and the events between them (states/). Nova's `status`, `vm_state` and
 * `task_state` derive from them (server-status.ts).
 */
import { defineStates } from '@cumulet/common/states/state-table';
import { EVENTS, type ServerEvent } from './states/server-events.js';
import { STATES, type ServerState } from './states/server-states.js';

export type { ServerEvent, ServerState };

export const serverStates = defineStates<ServerState, ServerEvent>({
  resource: 'server',
  table: 'servers',
  initial: 'scheduling',
  failure: 'fail',
  states: STATES,
  events: EVENTS,
});
