/**
 * The only way to change a state: a single UPDATE, guarded by the state table and the caller's
 * conditions. Of two concurrent callers one wins, and related columns change in the same statement.
 */
import type { EntityMetadata } from 'typeorm';
import type { RequestContext } from '../context/request-context.js';
import { DomainError } from '../errors/domain-error.js';
import { NOW, type ColumnValues, type StateTable } from './state-table.js';

/** The row was moved, changed or removed: the caller's copy is outdated. */
export abstract class SupersededError extends DomainError {}

/** The row exists, but its state does not allow the event. */
export class WrongStateError extends SupersededError {
  constructor(
    readonly resource: string,
    readonly id: string,
    readonly event: string,
    readonly state: string,
  ) {
    super('conflict', `Cannot '${event}' ${resource} ${id} while it is in state ${state}.`);
  }
}

/** The row's state allows the event, but a further condition does not hold. */
export class RowChangedError extends SupersededError {
  constructor(resource: string, id: string, event: string) {
    super('conflict', `Cannot '${event}' ${resource} ${id}, which has changed meanwhile.`);
  }
}

/** The row is gone. */
export class RowGoneError extends SupersededError {
  constructor(resource: string, id: string) {
    super('not-found', `No ${resource} ${id} exists.`);
  }
}

export interface Amendment {
  /** Conditions besides the state; null matches null. */
  readonly only?: ColumnValues;
  /** Columns to change besides the event's own. */
  readonly set?: ColumnValues;
}

export interface TransitionOptions extends Amendment {
  /** The reason, for the row's owner; null or absent clears it. */
  readonly reason?: string | null;
  /** Overrides the state table's deadline, in seconds. */
  readonly deadline?: number;
}

/**
 * Applies an event to a row, and increments its generation.
 * @returns the previous state
 * @throws WrongStateError if its state does not allow the event
 * @throws RowChangedError if `only` does not hold
 * @throws RowGoneError if there is no such row
 */
export async function transition<S extends string, E extends string>(
  ctx: RequestContext,
  table: StateTable<S, E>,
  id: string,
  event: E,
  options: TransitionOptions = {},
): Promise<S> {
  const { only = {}, reason = null } = options;
  const { from, to } = table.events[event];
  const set = { ...table.events[event].set, ...options.set };
  const deadline = options.deadline ?? table.states[to].deadline ?? null;
  const bind = new Binding(ctx, table.table, [id, to, from, reason, deadline]);
  const [rows]: [{ previous: S }[], number] = await ctx.manager.query(
    `UPDATE "${table.table}"
        SET state = $2, previous_state = state, state_since = now(), state_reason = $4,
            state_deadline = now() + $5::double precision * interval '1 second',
            ${['generation = generation + 1', ...bind.assignments(set)].join(', ')}
      WHERE ${['id = $1', 'state = ANY($3)', ...bind.comparisons(only)].join(' AND ')}
      RETURNING previous_state AS previous`,
    bind.params,
  );
  const moved = rows[0];
  if (moved) return moved.previous;
  throw await refusalOf(ctx, table, id, event);
}

/**
 * Changes columns of a row without changing its state, if `only` holds.
 * @throws RowChangedError if it does not
 * @throws RowGoneError if there is no such row
 */
export async function amend<S extends string, E extends string>(
  ctx: RequestContext,
  { resource, table }: StateTable<S, E>,
  id: string,
  { only = {}, set = {} }: Amendment,
): Promise<void> {
  const bind = new Binding(ctx, table, [id]);
  const changes = bind.assignments(set).join(', ');
  const where = ['id = $1', ...bind.comparisons(only)].join(' AND ');
  const [, changed]: [unknown, number] = await ctx.manager.query(
    `UPDATE "${table}" SET ${changes} WHERE ${where}`,
    bind.params,
  );
  if (changed > 0) return;
  const rows: unknown[] = await ctx.manager.query(`SELECT FROM "${table}" WHERE id = $1`, [id]);
  throw rows.length > 0
    ? new RowChangedError(resource, id, 'change')
    : new RowGoneError(resource, id);
}

async function refusalOf<S extends string, E extends string>(
  ctx: RequestContext,
  { resource, table, events }: StateTable<S, E>,
  id: string,
  event: E,
): Promise<SupersededError> {
  const rows: { state: S }[] = await ctx.manager.query(
    `SELECT state FROM "${table}" WHERE id = $1`,
    [id],
  );
  const row = rows[0];
  if (!row) return new RowGoneError(resource, id);
  return events[event].from.includes(row.state)
    ? new RowChangedError(resource, id, event)
    : new WrongStateError(resource, id, event, row.state);
}

/** Columns and values for a statement: names come from the entity, values travel as parameters. */
class Binding {
  readonly #metadata: () => EntityMetadata;

  constructor(
    ctx: RequestContext,
    private readonly table: string,
    readonly params: unknown[],
  ) {
    this.#metadata = () => ctx.manager.dataSource.getMetadata(table);
  }

  assignments(values: ColumnValues): string[] {
    return Object.entries(values).map(
      ([name, value]) => `${this.#column(name)} = ${this.#bound(name, value)}`,
    );
  }

  comparisons(values: ColumnValues): string[] {
    return Object.entries(values).map(
      ([name, value]) => `${this.#column(name)} IS NOT DISTINCT FROM ${this.#bound(name, value)}`,
    );
  }

  #column(name: string): string {
    return `"${this.#find(name).databaseName}"`;
  }

  #bound(name: string, value: unknown): string {
    if (value === NOW) return 'clock_timestamp()';
    const { driver } = this.#metadata().dataSource;
    return `$${this.params.push(driver.preparePersistentValue(value, this.#find(name)))}`;
  }

  #find(name: string): EntityMetadata['columns'][number] {
    const column = this.#metadata().findColumnWithPropertyName(name);
    if (!column) throw new Error(`The entity of ${this.table} has no column ${name}`);
    return column;
  }
}

/** The columns of a row in its first state, for the INSERT. */
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
