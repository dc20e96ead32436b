/**
 * Nova's words for what a server is and what is done to it, as filters: each stands for several
 * states, and one that is being deleted keeps its words of before.
 */
import type { Condition } from '@cumulet/common/tables/condition';
import { equals } from '@cumulet/common/tables/condition';
import { snapshotDoes } from '../snapshots/snapshot-tasks.js';
import {
  OF_A_SNAPSHOT,
  OF_A_WATCHED_GUEST,
  OF_RESIZE,
  SHUT_DOWN,
  statusOf,
  type ServerStatus,
} from '../server-status.js';
import { serverStates, type ServerState } from '../server.states.js';

const STATES = Object.keys(serverStates.states).filter(
  (state): state is ServerState => state !== 'deleting',
);

type Test = (words: ServerStatus) => boolean;

/** The states of which it holds, one by one; a server that is being deleted comes last. */
export function branchesOf(test: Test): Condition[] {
  const states = statesWhere(test);
  if (states.length === 0) return [];
  return [...states.map((state) => equals('state', state)), wasAmong(states)];
}

/** The servers of which it holds. */
export function isWhere(test: Test): Condition {
  const states = statesWhere(test);
  const was = wasAmong(states);
  return (bind, column) => `${column('state')} = ANY(${bind(states)}) OR ${was(bind, column)}`;
}

/** The servers whose guests are so powered, also where that is not what their states say. */
export function hasPower(value: string): Condition {
  const byState = isWhere(({ powerState }) => String(powerState) === value);
  return (bind, column) => {
    const state = `CASE ${column('state')} WHEN 'deleting' THEN ${column('previousState')} ELSE ${column('state')} END`;
    const isOff = `${state} = ANY(${bind(OF_RESIZE)}) AND ${column('returnsTo')} = 'stopped'
      OR ${state} = ANY(${bind(OF_A_WATCHED_GUEST)}) AND ${column('guestOff')}`;
    return `CASE WHEN ${isOff} THEN ${bind(value === String(SHUT_DOWN))} ELSE ${byState(bind, column)} END`;
  };
}

/** The servers to which this is being done. */
export function isDoing(task: string): Condition {
  if (task === 'deleting') return equals('state', 'deleting');
  const states = statesWhere(({ taskState }) => taskState === task);
  const others = states.filter((state) => !OF_A_SNAPSHOT.includes(state));
  const ofSnapshot = snapshotDoes(task);
  return (bind, column) =>
    `${column('state')} = ANY(${bind(others)})
      OR ${column('state')} = ANY(${bind(OF_A_SNAPSHOT)}) AND ${ofSnapshot(bind, column)}`;
}

function statesWhere(test: Test): ServerState[] {
  return STATES.filter((state) => test(statusOf({ state, previousState: null })));
}

/** What the others that are being deleted were before. */
function wasAmong(states: readonly ServerState[]): Condition {
  return (bind, column) =>
    `${column('state')} = 'deleting' AND coalesce(${column('previousState')}, 'active') = ANY(${bind(states)})`;
}
