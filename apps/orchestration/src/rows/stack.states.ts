/** Shown in capitals. Public source: Orchestration API reference, "Stack status". */
import { defineStates } from '@cumulet/common/states/state-table';

export const STACK_ACTIONS = [
  'CREATE',
  'DELETE',
  'UPDATE',
  'ROLLBACK',
  'SUSPEND',
  'RESUME',
  'ADOPT',
  'SNAPSHOT',
  'CHECK',
  'RESTORE',
] as const;
export type StackAction = (typeof STACK_ACTIONS)[number];

export type StackState = 'in_progress' | 'complete' | 'failed';
export type StackStatus = Uppercase<StackState>;

export type StackEvent = 'act' | 'succeed' | 'fail';

/** Seconds beyond the timeout, so that the stack can end itself with a better reason first. */
export const GRACE_SECONDS = 60;

export const stackStates = defineStates<StackState, StackEvent>({
  resource: 'stack',
  table: 'stacks',
  initial: 'in_progress',
  states: {
    in_progress: {
      about: 'Its resources are made to be as its action says.',
      deadline: 3_600 + GRACE_SECONDS,
    },
    complete: { about: 'Its last action has succeeded.' },
    failed: { about: 'Its last action has failed, for the reason that it names.' },
  },
  events: {
    act: {
      from: ['in_progress', 'complete', 'failed'],
      to: 'in_progress',
      by: 'PUT, PATCH, DELETE /v1/{tenant_id}/stacks/{stack_name}/{stack_id}, its actions and snapshots, and a rollback',
    },
    succeed: { from: ['in_progress'], to: 'complete', by: 'reconciler' },
    fail: { from: ['in_progress'], to: 'failed', by: 'reconciler, and cancel_without_rollback' },
  },
  failure: 'fail',
});

export function statusOf(state: StackState): StackStatus {
  return state.toUpperCase() as StackStatus;
}
