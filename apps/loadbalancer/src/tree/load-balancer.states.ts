/** The states of a load balancer with all of its parts, which its provisioning status shows. */
import { defineStates } from '@cumulet/common/states/state-table';

export type LoadBalancerState =
  'pending_create' | 'active' | 'pending_update' | 'pending_delete' | 'error';

export type LoadBalancerEvent =
  'applied' | 'change' | 'failover' | 'lose' | 'remove' | 'fail' | 'retry';

const PATH = '/v2.0/lbaas/loadbalancers/{loadbalancer_id}';

export const loadBalancerStates = defineStates<LoadBalancerState, LoadBalancerEvent>({
  resource: 'load_balancer',
  table: 'load_balancers',
  initial: 'pending_create',
  states: {
    pending_create: { about: 'It gets its address and a host, and begins to run.', deadline: 120 },
    active: { about: 'It runs as its rows say.' },
    pending_update: { about: 'What runs is made to be as the rows say.', deadline: 120 },
    pending_delete: { about: 'It ends, and its address is given back.', deadline: 120 },
    error: {
      about: 'It could not be made to run as its rows say; any change, and a failover, try again.',
    },
  },
  events: {
    applied: {
      from: ['pending_create', 'pending_update'],
      to: 'active',
      set: { vipGroupsDue: false },
      by: 'reconciler',
    },
    change: {
      from: ['active', 'error'],
      to: 'pending_update',
      by: `PUT ${PATH}, any change of its parts, and its host where it has ended`,
    },
    failover: {
      from: ['active', 'error'],
      to: 'pending_update',
      set: { vipGroupsDue: true },
      by: `PUT ${PATH}/failover`,
    },
    lose: {
      from: ['pending_create', 'active', 'pending_update', 'error'],
      to: 'pending_update',
      set: { vipGroupsDue: true },
      by: 'its host is dead',
    },
    remove: {
      from: ['pending_create', 'active', 'pending_update', 'error', 'pending_delete'],
      to: 'pending_delete',
      by: `DELETE ${PATH}`,
    },
    fail: { from: ['pending_create', 'pending_update'], to: 'error', by: 'reconciler' },
    // A delete is never given up.
    retry: { from: ['pending_delete'], to: 'pending_delete', by: 'reconciler' },
  },
  failure: ['fail', 'retry'],
});
