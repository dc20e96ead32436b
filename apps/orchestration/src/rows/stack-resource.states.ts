/**
 * What the engine does with a resource. What clients see of it, its action and status, are columns
 * beside it, which say how the last work on it ended.
 */
import { defineStates } from '@cumulet/common/states/state-table';
import type { StackAction } from './stack.states.js';

/** INIT until something is done with it. */
export type ResourceAction = 'INIT' | StackAction;
export type ResourceStatus = 'IN_PROGRESS' | 'COMPLETE' | 'FAILED';

/** Work that a resource may be given. */
export type ResourceGoal =
  'applying' | 'removing' | 'checking' | 'suspending' | 'resuming' | 'snapshotting';

export type ResourceState = 'settled' | 'waiting' | ResourceGoal;

export type ResourceEvent = 'plan' | 'begin' | 'drop' | 'settle' | 'fail';

/** Its stack's time-out is set in its place. */
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
    // From one goal to another goes by way of waiting, in the transaction of a plan.
    plan: { from: ['settled', 'waiting', ...GOALS], to: 'waiting', by: 'plan of its stack' },
    begin: { from: ['waiting'], to: 'applying', by: 'the last of those that come first' },
    drop: { from: ['waiting'], to: 'settled', by: 'failure of its stack' },
    settle: { from: GOALS, to: 'settled', by: 'reconciler' },
    fail: { from: GOALS, to: 'settled', by: 'reconciler' },
  },
  failure: 'fail',
});
