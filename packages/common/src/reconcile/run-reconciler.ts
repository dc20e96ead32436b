/** Runs a reconciler for one nudge, and decides what a failure means. */
import type { Logger } from 'pino';
import type { RequestContext } from '../context/request-context.js';
import { DomainError, UnavailableError } from '../errors/domain-error.js';
import { fromForeign, isOurFault } from '../errors/foreign-errors.js';
import { nudge } from '../jobs/nudge.js';
import { SupersededError } from '../states/transition.js';
import { endPlan, failureOfPlan } from './end-plan.js';
import type { Phase, Plan, ReconciledRow, Reconciler, Scope, Wait } from './reconciler.js';

/** How often an unknown error is retried before it counts as final. */
const UNKNOWN_ATTEMPTS = 3;
const BACKOFF_MS = { first: 250, max: 15_000 };

/** For the phases that release; the sweep for overdue rows waits longer. */
const RELEASE_MS = 30_000;

/**
 * The outcome of a run. `settled`: there was nothing to do. `superseded`: something else moved the row
 * meanwhile, and its nudge carries on.
 */
export type ReconcileOutcome = 'settled' | 'done' | 'waiting' | 'retried' | 'failed' | 'superseded';

export interface RunOptions {
  readonly logger: Logger;
  /** Called before each phase; the generic test suite crashes here. */
  readonly beforePhase?: (name: string) => void;
  /** Time limit for releasing, all phases together. */
  readonly releaseMs?: number;
  /** Aborted when the worker stops and waits for this run to end. */
  readonly stopping?: AbortSignal;
}

/**
 * Returns when the row is settled, waits, or has been nudged again. Throws only on a simulated
 * crash in tests, and when the database is unreachable.
 */
export async function runReconciler<Row extends ReconciledRow>(
  reconciler: Reconciler<Row>,
  ctx: RequestContext,
  id: string,
  attempt: number,
  options: RunOptions,
): Promise<ReconcileOutcome> {
  const row = await reconciler.load(ctx, id);
  const plan = row && reconciler.plans[row.state];
  if (!plan) return 'settled';
  const again = (delayMs: number, nextAttempt: number): Promise<void> =>
    nudge(ctx, {
      task: reconciler.taskOf(row),
      resource: reconciler.states.resource,
      id,
      attempt: nextAttempt,
      delayMs: Math.max(0, Math.min(delayMs, timeLeft(row))),
    });
  try {
    const wait = await runPhases(plan, ctx, row, options);
    if (wait) {
      await again(wait.waitMs, 0);
      return 'waiting';
    }
    if (plan.then !== undefined) {
      const event = typeof plan.then === 'function' ? plan.then(row) : plan.then;
      // The reason for the work is still the reason for its outcome.
      await endPlan(reconciler, ctx, row, event, row.stateReason, options.logger);
    }
    if (!plan.goesOn) return 'done';
  } catch (thrown) {
    const error = fromForeign(thrown);
    // A server that is deleted while it is being built, for example.
    if (error instanceof SupersededError) return 'superseded';
    if (error instanceof SimulatedCrash) throw error;
    const { logger } = options;
    const resource = reconciler.states.resource;
    if (mayRetry(error, attempt) && timeLeft(row) > 0) {
      logger.warn(
        { err: error, resource, id, attempt },
        'reconciling failed and will be tried again',
      );
      await again(backoff(attempt), attempt + 1);
      return 'retried';
    }
    return giveUp(reconciler, plan, ctx, row, error, options);
  }
  return runReconciler(reconciler, ctx, id, 0, options);
}

async function runPhases<Row extends ReconciledRow>(
  { phases, overdue }: Plan<Row, string>,
  ctx: RequestContext,
  row: Row,
  { beforePhase, stopping }: RunOptions,
): Promise<Wait | undefined> {
  for (const phase of phases) {
    beforePhase?.(phase.name);
    const wait = await runWithin(timeLeft(row), phase, ctx, row, stopping, overdue);
    if (wait) return wait;
  }
  return undefined;
}

/**
 * A phase may not outlast its time (its row's deadline), whatever it hangs on. A phase that is
 * aborted because the worker stops either ends itself or completes.
 */
async function runWithin<Row extends ReconciledRow>(
  ms: number,
  phase: Phase<Row>,
  ctx: RequestContext,
  row: Row,
  stopping?: AbortSignal,
  overdue?: string,
): Promise<Wait | undefined> {
  const lateness = (): DomainError =>
    overdue === undefined
      ? new DomainError('bug', `did not finish in time, at ${phase.name}`)
      : new DomainError('gone', overdue);
  if (ms <= 0) throw lateness();
  const abort = new AbortController();
  const stop = (): void => abort.abort(new UnavailableError('The service is being stopped.'));
  if (stopping?.aborted) stop();
  stopping?.addEventListener('abort', stop);
  const scope: Scope<Row> = { ctx, row, signal: abort.signal };
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        const error = lateness();
        abort.abort(error);
        reject(error);
      },
      Math.min(ms, 2 ** 31 - 1),
    );
  });
  try {
    return await Promise.race([phase.run(scope), deadline]);
  } finally {
    clearTimeout(timer);
    stopping?.removeEventListener('abort', stop);
  }
}

async function giveUp<Row extends ReconciledRow>(
  reconciler: Reconciler<Row>,
  plan: Plan<Row, string>,
  ctx: RequestContext,
  row: Row,
  error: unknown,
  options: RunOptions,
): Promise<ReconcileOutcome> {
  const { resource } = reconciler.states;
  // What the phases took belongs to whoever moved the row.
  const now = await reconciler.load(ctx, row.id);
  if (now?.generation !== row.generation) return 'superseded';
  logFailure(options.logger, { resource, id: row.id, state: row.state }, error);
  // Past its deadline, a row still gets time to release what it holds.
  const end = Date.now() + (options.releaseMs ?? RELEASE_MS);
  for (const phase of plan.release ?? []) {
    options.beforePhase?.(phase.name);
    try {
      await runWithin(end - Date.now(), phase, ctx, row);
    } catch (failure) {
      if (failure instanceof SimulatedCrash) throw failure;
      // The resource's own sweep for orphans finds what could not be released here.
      options.logger.error(
        { err: failure, resource, id: row.id, phase: phase.name },
        'could not release',
      );
    }
  }
  const event = failureOfPlan(reconciler, row.state);
  try {
    await endPlan(reconciler, ctx, row, event, reasonOf(error), options.logger);
    return 'failed';
  } catch (failure) {
    if (failure instanceof SupersededError) return 'superseded';
    throw failure;
  }
}

/** A caller's mistake is the caller's to fix; anything else is the operator's. */
function logFailure(logger: Logger, row: object, error: unknown): void {
  if (isOurFault(error)) {
    logger.error({ ...row, err: error }, 'reconciling failed for good');
    return;
  }
  const { name, message, cause } = error as Error & { cause?: { message?: unknown } };
  const because = { reason: message, cause: cause?.message };
  logger.info({ ...row, error: name, ...because }, 'cannot do what was asked for');
}

/** What the row's owner may read: a domain error's message, nothing of an unknown error. */
function reasonOf(error: unknown): string {
  if (error instanceof DomainError) return error.message;
  return 'An unexpected error occurred; the operator finds it in the log under this resource.';
}

function mayRetry(error: unknown, attempt: number): boolean {
  if (error instanceof DomainError)
    return error.kind === 'transient' || error.kind === 'unavailable';
  return attempt < UNKNOWN_ATTEMPTS;
}

function backoff(attempt: number): number {
  return Math.min(BACKOFF_MS.max, BACKOFF_MS.first * 2 ** attempt);
}

/** Milliseconds until the row's deadline; unlimited without one. */
function timeLeft(row: ReconciledRow): number {
  return row.stateDeadline === null ? Infinity : row.stateDeadline.getTime() - Date.now();
}

/** Thrown by tests to simulate the process's death: nothing may be done after it. */
export class SimulatedCrash extends Error {
  override readonly name = 'SimulatedCrash';
}
