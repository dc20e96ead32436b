import { appliedStates } from '../resource/applied.states.js';

export const balancerStates = appliedStates({
  resource: 'balancer',
  table: 'balancers',
  path: '/v2.0/balancers/{balancer_id}',
  parts: 'its listeners',
});
