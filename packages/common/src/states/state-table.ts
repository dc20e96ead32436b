/**
 * A resource's states as a literal table, one file per resource (`server.states.ts`): meanings,
 * deadlines of transitional states, and events.
 */
export interface StateDefinition {
  /** One sentence for the diagram under docs/states/. */
  readonly about: string;
  /** Seconds until the state times out; only for transitional states. */
  readonly deadline?: number;
}

/** Values of columns, by the property names of the row's entity. */
export type ColumnValues = Readonly<Record<string, unknown>>;

/** The database's clock, as the value of a column. */
export const NOW = Symbol('now');

export interface EventDefinition<S extends string> {
  readonly from: readonly S[];
  readonly to: S;
  /** Columns set by this event. */
  readonly set?: ColumnValues;
  /** The API operation or reconciler step that causes it, for the diagram. */
  readonly by: string;
}

export interface StateTable<S extends string = string, E extends string = string> {
  /** The singular: `server`, used for jobs, queues and messages. */
  readonly resource: string;
  /** Its table. */
  readonly table: string;
  readonly initial: NoInfer<S>;
  readonly states: Readonly<Record<S, StateDefinition>>;
  readonly events: Readonly<Record<E, EventDefinition<S>>>;
  /**
   * Events that end a transitional state after a permanent failure. If a state allows several, its
   * plan names one; the first is the default.
   */
  readonly failure: NoInfer<E> | readonly NoInfer<E>[];
}

/** @throws Error for a transitional state without a failure event */
export function defineStates<S extends string, E extends string>(
  table: StateTable<S, E>,
): StateTable<S, E> {
  for (const state of transitionalStates(table)) failureOf(table, state);
  return table;
}

/**
 * The failure event of a state.
 * @param chosen the choice of the state's plan
 * @throws Error if the state allows no such event
 */
export function failureOf<S extends string, E extends string>(
  table: StateTable<S, E>,
  state: S,
  chosen?: E,
): E {
  const failure: E | readonly E[] = chosen ?? table.failure;
  const events = typeof failure === 'string' ? [failure] : failure;
  const found = events.find((event) => table.events[event].from.includes(state));
  if (found !== undefined) return found;
  const by = chosen === undefined ? '' : ` by ${chosen}`;
  throw new Error(`${table.resource}: the transitional state ${state} has no way to fail${by}`);
}

export function transitionalStates<S extends string, E extends string>(
  table: StateTable<S, E>,
): S[] {
  const entries = Object.entries<StateDefinition>(table.states) as [S, StateDefinition][];
  return entries.filter(([, { deadline }]) => deadline !== undefined).map(([state]) => state);
}
