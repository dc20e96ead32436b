import { defineStates } from '@cumulet/common/states/state-table';

export type QosPolicyState = 'applying' | 'active' | 'error';
export type QosPolicyEvent = 'change' | 'applied' | 'fail';

/** To the data plane, rules are part of each port that they are for. */
export const qosPolicyStates = defineStates<QosPolicyState, QosPolicyEvent>({
  resource: 'qos_policy',
  table: 'qos_policies',
  initial: 'active',
  states: {
    applying: { about: 'The ports that it is for are being told of a change.', deadline: 300 },
    active: { about: 'All ports that it is for have been told.' },
    error: { about: 'Not all ports could be told; a change is another try.' },
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
