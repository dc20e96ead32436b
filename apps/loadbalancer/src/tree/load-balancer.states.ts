/** The states of a load balancer with all of its parts, which its provisioning status shows. */
import { defineStates } from '@cumulet/common/states/state-table';

export type LoadBalancerState =
  | 'pending_create'
  | 'active'
  | 'pending_update'
  | 'pending_delete'
  | 'error';

export type LoadBalancerEvent =
  | 'applied'
  | 'change'
  | 'failover'
  | 'lose'
  | 'remove'
  | 'fail'
  | 'retry';

const PATH = '/v2.0/lbaas/loadbalancers/{loadbalancer_id}';

export const loadBalancerStates = defineStates<LoadBalancerState, LoadBalancerEvent>({
  resource: 'load_balancer',
  table: 'load_balancers',
  initial: 'pending_create',
  states: {
    pending_create: {
      about: 'Its address and its host are being allocated, and it is being started.',
      deadline: 120,
    },
    active: { about: 'It runs as configured.' },
    pending_update: { about: 'A change of its configuration is being applied.', deadline: 120 },
    pending_delete: {
      about: 'It is being stopped, and its address is being released.',
      deadline: 120,
    },
    error: {
      about: 'Its configuration could not be applied. Any change, or a failover, tries again.',
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
      by: `PUT ${PATH}, any change of its parts, or its host if it has stopped`,
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
      by: 'its host is down',
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
