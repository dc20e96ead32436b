/**
 * The states of resources that are applied to the data plane as a whole on every change, such as a
 * network with its subnets or a security group with its rules.
 */
import { defineStates, type StateTable } from '@cumulet/common/states/state-table';
import { nudge } from '@cumulet/common/jobs/nudge';
import { transition } from '@cumulet/common/states/transition';
import type { RequestContext } from '@cumulet/common/context/request-context';

export type AppliedState = 'applying' | 'active' | 'error' | 'removing';
export type AppliedEvent = 'change' | 'applied' | 'remove' | 'fail' | 'retry';
export type AppliedStates = StateTable<AppliedState, AppliedEvent>;

export interface Applied {
  /** As `Resource.singular`. */
  readonly resource: string;
  readonly table: string;
  /** The path of its operations: `/v2.0/networks/{network_id}`. */
  readonly path: string;
  /** Parts whose changes trigger it too, such as `its subnets`. */
  readonly parts: string;
}

export function appliedStates({ resource, table, path, parts }: Applied): AppliedStates {
  return defineStates<AppliedState, AppliedEvent>({
    resource,
    table,
    initial: 'applying',
    states: {
      applying: {
        about: 'It, or a change of it, is being applied to the data plane.',
        deadline: 120,
      },
      active: { about: 'The data plane has applied it.' },
      error: { about: 'The data plane could not apply it; a change starts another attempt.' },
      removing: {
        about: 'Hidden from clients; the data plane is still removing it and its ports.',
        deadline: 120,
      },
    },
    events: {
      change: {
        from: ['applying', 'active', 'error'],
        to: 'applying',
        by: `PUT ${path}, and any change of ${parts}`,
      },
      applied: { from: ['applying'], to: 'active', by: 'reconciler' },
      remove: { from: ['applying', 'active', 'error'], to: 'removing', by: `DELETE ${path}` },
      fail: { from: ['applying'], to: 'error', by: 'reconciler' },
      retry: { from: ['removing'], to: 'removing', by: 'reconciler' },
    },
    failure: ['fail', 'retry'],
  });
}

/** Sets the state and wakes the reconciler, in the transaction with the change. */
export async function apply(
  tx: RequestContext,
  states: AppliedStates,
  id: string,
  event: 'change' | 'remove' = 'change',
): Promise<void> {
  await transition(tx, states, id, event);
  await nudge(tx, { task: states.resource, resource: states.resource, id });
}
