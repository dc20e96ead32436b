/**
 * The one door through which a state changes: a compare-and-set over the state table. Two callers
 * cannot both win, and a status is never set from anywhere else.
 */
import type { RequestContext } from '../context/request-context.js';
import { DomainError } from '../errors/domain-error.js';
import type { StateTable } from './state-table.js';

/** The row exists, but its state does not allow the event. */
export class WrongStateError extends DomainError {
  constructor(
    readonly resource: string,
    readonly id: string,
    readonly event: string,
    readonly state: string,
  ) {
    super('conflict', `Cannot '${event}' ${resource} ${id} while it is in state ${state}.`);
  }
}

/** The row is gone. */
export class RowGoneError extends DomainError {
  constructor(resource: string, id: string) {
    super('not-found', `No ${resource} ${id} exists.`);
  }
}

export interface TransitionOptions {
  /** Why, for the row's owner; null or absent clears it. */
  readonly reason?: string | null;
  /** Replaces the deadline of the state table, in seconds. */
  readonly deadline?: number;
}

/**
 * Moves a row along `event`.
 * @returns the state it had before
 * @throws WrongStateError when its state does not allow the event
 * @throws RowGoneError when there is no such row
 */
export async function transition<S extends string, E extends string>(
  ctx: RequestContext,
  table: StateTable<S, E>,
  id: string,
  event: E,
  options: TransitionOptions = {},
): Promise<S> {
  const { from, to } = table.events[event];
  const deadline = options.deadline ?? table.states[to].deadline ?? null;
  const [rows]: [{ previous: S }[], number] = await ctx.manager.query(
    `UPDATE "${table.table}"
        SET state = $2, previous_state = state, state_since = now(), state_reason = $4,
            state_deadline = now() + $5::double precision * interval '1 second'
      WHERE id = $1 AND state = ANY($3)
      RETURNING previous_state AS previous`,
    [id, to, from, options.reason ?? null, deadline],
  );
  const moved = rows[0];
  if (moved) return moved.previous;
  const found: { state: string }[] = await ctx.manager.query(
    `SELECT state FROM "${table.table}" WHERE id = $1`,
    [id],
  );
  const row = found[0];
  throw row
    ? new WrongStateError(table.resource, id, event, row.state)
    : new RowGoneError(table.resource, id);
}

/** The columns of a row's first state, for the INSERT. */
export function initialState<S extends string, E extends string>(
  table: StateTable<S, E>,
  now = new Date(),
): { state: S; stateSince: Date; stateDeadline: Date | null } {
  const { deadline } = table.states[table.initial];
  return {
    state: table.initial,
    stateSince: now,
    stateDeadline: deadline === undefined ? null : new Date(now.getTime() + deadline * 1000),
  };
}
