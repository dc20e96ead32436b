/**
 * Keeps work from getting stuck: nudges transitional rows whose nudge is missing, and fails rows
 * that are past their deadline and still not failed.
 */
import type { Logger } from 'pino';
import type { RequestContext } from '../context/request-context.js';
import { hasJob } from '../jobs/job.repository.js';
import { nudgeAll, type Nudge } from '../jobs/nudge.js';
import type { Sweep } from '../jobs/sweep.js';
import { transitionalStates } from '../states/state-table.js';
import { endPlan, failureOfPlan } from './end-plan.js';
import type { ReconciledRow, Reconciler } from './reconciler.js';

/** Seconds past the deadline that the row's own worker has to release and fail it. */
const GRACE = 40;

/** A row that no worker looks after. */
interface Neglected {
  readonly resource: string;
  readonly id: string;
  readonly generation: number;
  /** Past its deadline and its own worker's time, rather than without a nudge. */
  readonly overdue: boolean;
}

const MAX_ROWS = 100;

/** @param reconcilers all of a service's: one statement finds the neglected rows of all */
export function reconcilerSweep(
  reconcilers: readonly Reconciler<ReconciledRow>[],
  logger: Logger,
): Sweep {
  // A plan whose failure event its state forbids would leave rows stuck: fail the start instead.
  for (const reconciler of reconcilers)
    for (const state of transitionalStates(reconciler.states)) failureOfPlan(reconciler, state);
  const statement = neglectedRows(reconcilers);
  const byResource = new Map(reconcilers.map((each) => [each.states.resource, each]));
  return {
    name: 'reconcile',
    everyMs: 5_000,
    async run(ctx) {
      const rows: Neglected[] = await ctx.manager.query(statement.text, statement.values);
      const nudges: Nudge[] = [];
      for (const neglected of rows) {
        const reconciler = byResource.get(neglected.resource);
        const row = await reconciler?.load(ctx, neglected.id);
        if (!reconciler || row?.generation !== neglected.generation) continue;
        if (neglected.overdue) await failOverdue(reconciler, ctx, row, logger);
        else nudges.push(nudgeOf(reconciler, row, logger));
      }
      await nudgeAll(ctx, nudges);
    },
  };
}

function neglectedRows(reconcilers: readonly Reconciler<ReconciledRow>[]): {
  readonly text: string;
  readonly values: unknown[];
} {
  const values: unknown[] = [GRACE];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const selects = reconcilers.map(({ states, plans }) => {
    const transitional = transitionalStates(states);
    const planned = transitional.filter((state) => plans[state]);
    return `
      SELECT ${add(states.resource)} AS resource, id::text, generation, late.overdue
        FROM "${states.table}" AS resource, LATERAL (
          SELECT coalesce(
            state_deadline < now() - $1::double precision * interval '1 second', false) AS overdue
        ) AS late
       WHERE state = ANY(${add(transitional)}) AND (late.overdue
         OR state = ANY(${add(planned)}) AND NOT ${hasJob(add(states.resource), 'resource.id')})`;
  });
  return { text: `${selects.join(' UNION ALL ')} LIMIT ${MAX_ROWS}`, values };
}

function nudgeOf(reconciler: Reconciler<ReconciledRow>, row: ReconciledRow, logger: Logger): Nudge {
  const { resource } = reconciler.states;
  const { id, state } = row;
  logger.warn({ resource, id, state }, 'nudged a row whose nudge was missing');
  return { task: reconciler.taskOf(row), resource, id };
}

async function failOverdue(
  reconciler: Reconciler<ReconciledRow>,
  ctx: RequestContext,
  row: ReconciledRow,
  logger: Logger,
): Promise<void> {
  const { resource } = reconciler.states;
  const { id, state } = row;
  logger.error({ resource, id, state }, 'failed a row past its deadline');
  const reason =
    reconciler.plans[state]?.overdue ??
    `The ${resource} did not leave ${state} in time, and the worker in charge of it does not answer.`;
  const event = failureOfPlan(reconciler, state);
  await endPlan(reconciler, ctx, row, event, reason, logger).catch((error: unknown) =>
    logger.info({ err: error, resource, id }, 'the row moved on meanwhile'),
  );
}
