import { defineStates } from '@cumulet/common/states/state-table';

export type NetworkState = 'applying' | 'active' | 'error' | 'removing';
export type NetworkEvent = 'change' | 'applied' | 'remove' | 'fail' | 'retry';

/** Of a network with its subnets: to the data plane the two are one thing. */
export const networkStates = defineStates<NetworkState, NetworkEvent>({
  resource: 'network',
  table: 'networks',
  initial: 'applying',
  states: {
    applying: { about: 'The data plane is being told of it, or of a change.', deadline: 120 },
    active: { about: 'The data plane has it.' },
    error: { about: 'The data plane would not have it; a change is another try.' },
    removing: {
      about: 'Gone for its clients; the data plane still lets go of its ports and of it.',
      deadline: 120,
    },
  },
  events: {
    change: {
      from: ['applying', 'active', 'error'],
      to: 'applying',
      by: 'PUT /v2.0/networks/{network_id}, and any change of its subnets',
    },
    applied: { from: ['applying'], to: 'active', by: 'reconciler' },
    remove: {
      from: ['applying', 'active', 'error'],
      to: 'removing',
      by: 'DELETE /v2.0/networks/{network_id}',
    },
    fail: { from: ['applying'], to: 'error', by: 'reconciler' },
    retry: { from: ['removing'], to: 'removing', by: 'reconciler' },
  },
  failure: ['fail', 'retry'],
});
