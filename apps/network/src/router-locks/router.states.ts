import { appliedStates } from '../resource/applied.states.js';

/** A router is applied to the data plane with all that goes through it. */
export const routerStates = appliedStates({
  resource: 'router',
  table: 'routers',
  path: '/v2.0/routers/{router_id}',
  parts: 'its ports, floating IPs and port forwardings',
});
