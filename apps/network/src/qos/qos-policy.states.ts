import { defineStates } from '@cumulet/common/states/state-table';

export type QosPolicyState = 'applying' | 'active' | 'error';
export type QosPolicyEvent = 'change' | 'applied' | 'fail';

/** Rules are applied to the data plane as part of each port. */
export const qosPolicyStates = defineStates<QosPolicyState, QosPolicyEvent>({
  resource: 'qos_policy',
  table: 'qos_policies',
  initial: 'active',
  states: {
    applying: { about: "A change is being applied to the policy's ports.", deadline: 300 },
    active: { about: 'The change has been applied to all of its ports.' },
    error: {
      about: 'The change could not be applied to all ports; another change starts another attempt.',
    },
  },
  events: {
    change: {
      from: ['applying', 'active', 'error'],
      to: 'applying',
      by: 'POST, PUT and DELETE of its rules',
    },
    applied: { from: ['applying'], to: 'active', by: 'reconciler' },
    fail: { from: ['applying'], to: 'error', by: 'reconciler' },
  },
  failure: ['fail'],
});
