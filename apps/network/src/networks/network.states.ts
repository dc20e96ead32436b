import { appliedStates, type AppliedState } from '../resource/applied.states.js';

export type { AppliedEvent as NetworkEvent } from '../resource/applied.states.js';
export type NetworkState = AppliedState;

/** Of a network with its subnets: to the data plane the two are one thing. */
export const networkStates = appliedStates({
  resource: 'network',
  table: 'networks',
  path: '/v2.0/networks/{network_id}',
  parts: 'its subnets',
});
