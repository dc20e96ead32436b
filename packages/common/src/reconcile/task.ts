import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { RequestContext } from '../context/request-context.js';
import type { Metrics } from '../observe/metrics.js';
import type { TaskHandler } from '../jobs/worker.js';
import type { ReconciledRow, Reconciler } from './reconciler.js';
import { runReconciler } from './run-reconciler.js';

export interface TaskParts {
  readonly dataSource: DataSource;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The job handler that runs a reconciler. */
export function reconcilerTask<Row extends ReconciledRow<S>, S extends string, E extends string>(
  reconciler: Reconciler<Row, S, E>,
  { dataSource, logger, metrics }: TaskParts,
): TaskHandler {
  return async ({ id, attempt, context }, stopping) => {
    const ctx = RequestContext.deserialise(context, dataSource.manager);
    const jobLogger = logger.child({
      requestId: context.requestId,
      globalRequestId: context.globalRequestId,
    });
    const options = { logger: jobLogger, stopping };
    const outcome = await runReconciler(reconciler, ctx, id, attempt, options);
    metrics.reconciles.inc({ resource: reconciler.states.resource, outcome });
  };
}
