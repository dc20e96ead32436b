/**
 * Keeps work from getting stuck: nudges transitional rows whose nudge is missing, and fails rows
 * that are past their deadline and still not failed.
 */
import type { Logger } from 'pino';
import type { RequestContext } from '../context/request-context.js';
import { nudgeAll, type Nudge } from '../jobs/nudge.js';
import type { Sweep } from '../jobs/sweep.js';
import { transitionalStates } from '../states/state-table.js';
import { endPlan, failureOfPlan } from './end-plan.js';
import type { ReconciledRow, Reconciler } from './reconciler.js';

/** Seconds past the deadline that the row's own worker has to release and fail it. */
const GRACE = 40;

export function reconcilerSweep<Row extends ReconciledRow>(
  reconciler: Reconciler<Row>,
  logger: Logger,
): Sweep {
  // A plan whose failure event its state forbids would leave rows stuck: fail the start instead.
  for (const state of transitionalStates(reconciler.states)) failureOfPlan(reconciler, state);
  return {
    name: `reconcile:${reconciler.states.resource}`,
    everyMs: 2_000,
    async run(ctx) {
      await nudgeForgotten(reconciler, ctx, logger);
      await failOverdue(reconciler, ctx, logger);
    },
  };
}

async function nudgeForgotten<Row extends ReconciledRow>(
  reconciler: Reconciler<Row>,
  ctx: RequestContext,
  logger: Logger,
): Promise<void> {
  const { resource, table } = reconciler.states;
  const planned = transitionalStates(reconciler.states).filter((state) => reconciler.plans[state]);
  const rows: { id: string }[] = await ctx.manager.query(
    `SELECT id FROM "${table}" AS resource
      WHERE state = ANY($1) AND NOT EXISTS (
        SELECT FROM graphile_worker._private_jobs AS job
         WHERE job.key = $2 || ':' || resource.id AND job.attempts < job.max_attempts)
      LIMIT 100`,
    [planned, resource],
  );
  const nudges: Nudge[] = [];
  for (const { id } of rows) {
    const row = await reconciler.load(ctx, id);
    if (!row) continue;
    logger.warn({ resource, id, state: row.state }, 'nudged a row whose nudge was missing');
    nudges.push({ task: reconciler.taskOf(row), resource, id });
  }
  await nudgeAll(ctx, nudges);
}

async function failOverdue<Row extends ReconciledRow>(
  reconciler: Reconciler<Row>,
  ctx: RequestContext,
  logger: Logger,
): Promise<void> {
  const { resource, table } = reconciler.states;
  const rows: { id: string; generation: number }[] = await ctx.manager.query(
    `SELECT id, generation FROM "${table}"
      WHERE state = ANY($1) AND state_deadline < now() - $2::double precision * interval '1 second' LIMIT 100`,
    [transitionalStates(reconciler.states), GRACE],
  );
  for (const { id, generation } of rows) {
    const row = await reconciler.load(ctx, id);
    if (row?.generation !== generation) continue;
    const { state } = row;
    logger.error({ resource, id, state }, 'failed a row past its deadline');
    const reason =
      reconciler.plans[state]?.overdue ??
      `The ${resource} did not leave ${state} in time, and the worker in charge of it does not answer.`;
    const event = failureOfPlan(reconciler, state);
    await endPlan(reconciler, ctx, row, event, reason, logger).catch((error: unknown) =>
      logger.info({ err: error, resource, id }, 'the row moved on meanwhile'),
    );
  }
}
