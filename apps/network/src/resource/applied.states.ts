/**
 * The states of what the data plane is told as a whole, whenever anything of it changes: networks
 * with their subnets, security groups with their rules.
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
  /** Whose changes count as its own: `its subnets`. */
  readonly parts: string;
}

export function appliedStates({ resource, table, path, parts }: Applied): AppliedStates {
  return defineStates<AppliedState, AppliedEvent>({
    resource,
    table,
    initial: 'applying',
    states: {
      applying: { about: 'The data plane is being told of it, or of a change.', deadline: 120 },
      active: { about: 'The data plane has it.' },
      error: { about: 'The data plane would not have it; a change is another try.' },
      removing: {
        about: 'Gone for its clients; the data plane still lets go of its ports and of it.',
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

/** Moves it along, and has its reconciler look at it, in the transaction that has changed it. */
export async function apply(
  tx: RequestContext,
  states: AppliedStates,
  id: string,
  event: 'change' | 'remove' = 'change',
): Promise<void> {
  await transition(tx, states, id, event);
  await nudge(tx, { task: states.resource, resource: states.resource, id });
}
