import { appliedStates, type AppliedState } from '../resource/applied.states.js';

export type { AppliedEvent as NetworkEvent } from '../resource/applied.states.js';
export type NetworkState = AppliedState;

/** A network and its subnets are applied to the data plane together. */
export const networkStates = appliedStates({
  resource: 'network',
  table: 'networks',
  path: '/v2.0/networks/{network_id}',
  parts: 'its subnets',
});
