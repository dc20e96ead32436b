/** The background half of a service's process: reconcilers and sweeps of all features. */
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { RequestContext } from '../context/request-context.js';
import { deadWorkerSweep, type Liveness } from '../jobs/liveness.js';
import { SweepLoop } from '../jobs/sweep.js';
import { Worker, type TaskHandler } from '../jobs/worker.js';
import type { Metrics } from '../observe/metrics.js';
import type { ReconciledRow, Reconciler } from '../reconcile/reconciler.js';
import { reconcilerSweep } from '../reconcile/reconciler-sweep.js';
import { runReconciler } from '../reconcile/run-reconciler.js';
import { reconcilersAmong, sweepsAmong } from '../service/background.js';

export interface ServiceWorkParts {
  readonly providers: readonly object[];
  readonly config: object;
  readonly dataSource: DataSource;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly liveness: Liveness;
}

export class ServiceWork {
  readonly #workers: readonly Worker[];
  readonly #sweeps: SweepLoop;

  constructor(private readonly parts: ServiceWorkParts) {
    const { providers, config, dataSource, logger, liveness } = parts;
    const found = reconcilersAmong(providers, config);
    this.#workers = found.flatMap(({ reconciler, slots }) => {
      const run = this.#handlerOf(reconciler);
      return slots.map(({ tasks, concurrency }) => this.#worker(tasks, concurrency, run));
    });
    const upkeep = [
      deadWorkerSweep(logger),
      reconcilerSweep(
        found.map(({ reconciler }) => reconciler),
        logger,
      ),
    ];
    const sweeps = [...(found.length > 0 ? upkeep : []), ...sweepsAmong(providers, config, false)];
    this.#sweeps = new SweepLoop(dataSource, logger, sweeps, liveness);
  }

  async start(): Promise<void> {
    for (const worker of this.#workers) await worker.start();
    this.#sweeps.start();
  }

  /** Waits for running jobs, aborting them after some seconds. */
  async stop(): Promise<void> {
    await this.#sweeps.stop();
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  #handlerOf(reconciler: Reconciler<ReconciledRow>): TaskHandler {
    const { dataSource, logger, metrics } = this.parts;
    return async ({ id, attempt, context }, stopping) => {
      const ctx = RequestContext.deserialise(context, dataSource.manager);
      const { requestId, globalRequestId } = context;
      const options = { logger: logger.child({ requestId, globalRequestId }), stopping };
      const outcome = await runReconciler(reconciler, ctx, id, attempt, options);
      metrics.reconciles.inc({ resource: reconciler.states.resource, outcome });
    };
  }

  #worker(tasks: readonly string[], concurrency: number, run: TaskHandler): Worker {
    const { dataSource, logger, liveness } = this.parts;
    return new Worker({ dataSource, logger, liveness, concurrency, tasks, run });
  }
}
