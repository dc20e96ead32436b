/**
 * Sweeps: periodic work that needs no nudge. A service's sweep runs in one process at a time; a
 * process's own (`local`) runs in each.
 */
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { RequestContext } from '../context/request-context.js';
import { newRequestId } from '../context/request-id.js';

export interface Sweep {
  readonly name: string;
  /** Milliseconds between two runs at most; where it depends, asked after each run. */
  readonly everyMs: number | (() => number);
  readonly local?: boolean;
  /** @param stopping aborted when the process stops, which waits for runs that ignore it */
  run(ctx: RequestContext, stopping?: AbortSignal): Promise<void>;
}

/** Elects the process that runs singleton work (liveness.ts). */
export interface Leadership {
  leads(work: string): Promise<boolean>;
}

/** Retry interval after a failure. */
const RETRY_MS = 5_000;
/** Jitter, so that not all sweeps take a connection at once. */
const SPREAD = 0.2;

export class SweepLoop {
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #stopped = true;
  #stopping = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly logger: Logger,
    private readonly sweeps: readonly Sweep[],
    private readonly leadership: Leadership,
    private readonly retryMs = RETRY_MS,
  ) {}

  /** Runs every sweep at once, and then again at its interval after the previous run's end. */
  start(): void {
    this.#stopped = false;
    this.#stopping = new AbortController();
    for (const sweep of this.sweeps) this.#schedule(sweep, 0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopping.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  #schedule(sweep: Sweep, delayMs: number): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const run = this.#run(sweep).then((hasFailed) => {
        this.#running.delete(run);
        const { everyMs } = sweep;
        const usual = typeof everyMs === 'number' ? everyMs : everyMs();
        const pause = hasFailed ? Math.min(usual, this.retryMs) : usual;
        this.#schedule(sweep, pause * (1 - SPREAD * Math.random()));
      });
      this.#running.add(run);
    }, delayMs);
    timer.unref();
    this.#timers.add(timer);
  }

  /** @returns whether it failed */
  async #run(sweep: Sweep): Promise<boolean> {
    try {
      if (sweep.local || (await this.leadership.leads(sweep.name)))
        await runSweep(this.dataSource, sweep, this.#stopping.signal);
      return false;
    } catch (error) {
      this.logger.error({ err: error, sweep: sweep.name }, 'a sweep failed and will be run again');
      return true;
    }
  }
}

/** One run of a sweep, which commits each step by itself. */
export function runSweep(
  dataSource: DataSource,
  sweep: Sweep,
  stopping?: AbortSignal,
): Promise<void> {
  return sweep.run(RequestContext.system(newRequestId(), dataSource.manager), stopping);
}
