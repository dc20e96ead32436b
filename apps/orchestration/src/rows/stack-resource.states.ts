/** The engine's states of a resource. Clients see its action and status instead. */
import { defineStates } from '@cumulet/common/states/state-table';
import type { StackAction } from './stack.states.js';

/** INIT before the first action. */
export type ResourceAction = 'INIT' | StackAction;
export type ResourceStatus = 'IN_PROGRESS' | 'COMPLETE' | 'FAILED';

export type ResourceGoal =
  | 'applying'
  | 'removing'
  | 'checking'
  | 'suspending'
  | 'resuming'
  | 'snapshotting';

export type ResourceState = 'settled' | 'waiting' | ResourceGoal;

export type ResourceEvent = 'plan' | 'begin' | 'drop' | 'settle' | 'fail';

/** Replaced by the stack's timeout. */
const deadline = 3_600;

const GOALS: readonly ResourceGoal[] = [
  'applying',
  'removing',
  'checking',
  'suspending',
  'resuming',
  'snapshotting',
];

export const resourceStates = defineStates<ResourceState, ResourceEvent>({
  resource: 'stack_resource',
  table: 'stack_resources',
  initial: 'waiting',
  states: {
    settled: { about: 'Nothing is done with it.' },
    waiting: { about: 'Others come first; its goal says what is done with it then.' },
    applying: { about: 'It is created, or made to be as its definition says.', deadline },
    removing: { about: 'It is removed.', deadline },
    checking: { about: 'It is compared with what its service says of it.', deadline },
    suspending: { about: 'It is suspended.', deadline },
    resuming: { about: 'It is resumed.', deadline },
    snapshotting: { about: 'A snapshot of it is taken.', deadline },
  },
  events: {
    // A goal changes to another by way of `waiting`, in the transaction of a plan.
    plan: { from: ['settled', 'waiting', ...GOALS], to: 'waiting', by: 'plan of its stack' },
    begin: { from: ['waiting'], to: 'applying', by: 'the last of those that come first' },
    drop: { from: ['waiting'], to: 'settled', by: 'failure of its stack' },
    settle: { from: GOALS, to: 'settled', by: 'reconciler' },
    fail: { from: GOALS, to: 'settled', by: 'reconciler' },
  },
  failure: 'fail',
});
