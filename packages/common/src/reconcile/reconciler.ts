/**
 * A reconciler moves the world towards a row: for each transitional state a list of named,
 * idempotent phases. A phase whose work is done does nothing, so a reconciler that died half way is
 * simply run again.
 */
import type { RequestContext } from '../context/request-context.js';
import type { StateTable } from '../states/state-table.js';

/** The columns that every reconciled row has. */
export interface ReconciledRow<S extends string = string> {
  readonly id: string;
  readonly state: S;
  readonly stateDeadline: Date | null;
  readonly stateReason: string | null;
  readonly generation: number;
}

/** A phase must wait for the outside world: the reconciler runs again after this time. */
export interface Wait {
  readonly waitMs: number;
}

/** What the phases of one run share: the context of the job and the row as it was loaded. */
export interface Scope<Row> {
  readonly ctx: RequestContext;
  readonly row: Row;
  /** Aborted at the state's deadline, and when the worker stops. */
  readonly signal: AbortSignal;
}

export interface Phase<Row> {
  readonly name: string;
  /**
   * Throws a DomainError of kind `transient` or `unavailable` to be retried until the state's
   * deadline; of any other kind to fail for good, with its message as the row's reason.
   */
  run(scope: Scope<Row>): Promise<Wait | undefined>;
}

/** A method, so that a list of reconcilers may hold those of several kinds of rows. */
interface EventOfRow<Row, E> {
  choose(row: Row): E;
}

export interface Plan<Row, E extends string> {
  readonly phases: readonly Phase<Row>[];
  /**
   * The event after the last phase: one, or what the row as it was loaded decides. Absent if that
   * phase ended the row itself.
   */
  readonly then?: E | EventOfRow<Row, E>['choose'];
  /** Whether the same run goes on with the row's next state, under that state's deadline. */
  readonly goesOn?: true;
  /** The event after a failure for good; absent for the state table's own. */
  readonly failure?: E;
  /**
   * The owner's reason for a row that failed by its deadline: for states that wait for an outside
   * party, where the deadline is nobody's mistake.
   */
  readonly overdue?: string;
  /** Releases what the phases took when the plan fails for good. Each is idempotent too. */
  readonly release?: readonly Phase<Row>[];
}

export interface Reconciler<
  Row extends ReconciledRow<S>,
  S extends string = string,
  E extends string = string,
> {
  readonly states: StateTable<S, E>;
  /** The task that this row's nudges go to. */
  taskOf(row: Row): string;
  load(ctx: RequestContext, id: string): Promise<Row | undefined>;
  readonly plans: Partial<Record<S, Plan<Row, E>>>;
  /**
   * Locks what the end of work on a row changes besides it, where others lock that first: runs in the
   * transaction that then moves the row.
   */
  beforeEnd?(tx: RequestContext, row: Row): Promise<void>;
  /**
   * What else changes in the database when work on a row ends, well or not: runs in the transaction
   * that has just moved it along `event`.
   * @param reason the row's new reason
   */
  ended?(tx: RequestContext, id: string, event: E, reason: string | null): Promise<void>;
  /**
   * Removes what only the row referred to until its work ended. It runs after the commit, so a
   * crash may skip it, and errors are only logged: the resource's sweep for orphans then does it.
   * @param row as it was until then
   */
  afterEnd?(ctx: RequestContext, row: Row): Promise<void>;
}

/** A phase from a method, named after it. */
export function phase<Row>(
  name: string,
  run: (scope: Scope<Row>) => Promise<Wait | undefined> | Promise<void>,
): Phase<Row> {
  return { name, run: async (scope) => (await run(scope)) ?? undefined };
}
