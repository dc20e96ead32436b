/**
 * Takes and runs the jobs of some tasks, as many at once as it has slots.
 *
 * Always holds: it has looked for jobs since it last heard of any, since one last ended while all
 * slots were busy, since the next became due, and since its listening connection was last made. The
 * looks that come by themselves are for what none of these explains. A job that is its own by the table
 * and does not run, as the answer that gave it was lost, goes back: after a failure and a reconnection
 * at the next look, otherwise within the interval of those looks.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { jobKey, JobsOfWorker, type Job } from './job.repository.js';
import { jobPool } from './job-pool.js';
import type { Liveness } from './liveness.js';

/** @param stopping aborted some seconds after the worker is told to stop, if the job still runs */
export type TaskHandler = (job: Job, stopping: AbortSignal) => Promise<void>;

export interface WorkerOptions {
  readonly dataSource: DataSource;
  readonly logger: Logger;
  /** Of this process; must outlast the worker. */
  readonly liveness: Liveness;
  /** Concurrent jobs in this process. */
  readonly concurrency: number;
  readonly tasks: readonly string[];
  readonly run: TaskHandler;
}

export const LOOK_EVERY_MS = 30_000;
/** Pause between looks for a job that is due: another transaction may hold it. */
const MIN_PAUSE_MS = 100;
/** Pause while Postgres is away. */
const RETRY_MS = 500;
/** Time for jobs to end by themselves once the worker stops. */
const GRACE_MS = 5_000;

interface Run {
  ended: Promise<void>;
  /** The job, taken again: it was freed while this worker was without its connection. */
  again: Job | undefined;
}

export class Worker {
  readonly #id = `worker-${randomUUID()}`;
  readonly #jobs: JobsOfWorker;
  readonly #runs = new Map<string, Run>();
  readonly #stopping = new AbortController();
  #stopListening: () => void = () => undefined;
  #stopped = false;
  /** Whether a job may be due that no look has come to. */
  #mayBeDue = false;
  /** When it last compared the jobs that are its own with those that it runs. */
  #comparedAt = -Infinity;
  #look: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: WorkerOptions) {
    const { dataSource, tasks, concurrency } = options;
    this.#jobs = new JobsOfWorker(jobPool(dataSource), this.#id, tasks);
    // Each job listens to it.
    setMaxListeners(concurrency + 1, this.#stopping.signal);
  }

  async start(): Promise<void> {
    const { liveness, tasks } = this.options;
    // No job is taken before others can see that this worker lives.
    await liveness.hold(this.#id);
    this.#stopListening = liveness.onJobs((task) => {
      if (task === undefined) this.#comparedAt = -Infinity;
      if (task === undefined || tasks.includes(task)) this.#lookNow();
    });
    this.#lookNow();
  }

  /**
   * Waits for running jobs, aborting them after some seconds. If Postgres may be away, the liveness
   * must be abandoned before.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    const abort = setTimeout(() => this.#stopping.abort(), GRACE_MS);
    await this.#look;
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
    clearTimeout(abort);
    await this.options.liveness.letGo(this.#id);
  }

  get #freeSlots(): number {
    return this.options.concurrency - this.#runs.size;
  }

  #lookNow(): void {
    this.#mayBeDue = true;
    this.#lookIfDue();
  }

  #lookIfDue(): void {
    if (this.#look || this.#stopped || !this.#mayBeDue || this.#freeSlots <= 0) return;
    clearTimeout(this.#timer);
    this.#look = this.#takeDue().then(
      (pauseMs) => this.#looked(pauseMs),
      () => {
        this.#comparedAt = -Infinity;
        this.#looked(RETRY_MS);
      },
    );
  }

  #looked(pauseMs: number): void {
    this.#look = undefined;
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.#lookNow(), pauseMs);
    this.#timer.unref();
    this.#lookIfDue();
  }

  /** @returns milliseconds until the next look */
  async #takeDue(): Promise<number> {
    await this.#giveBackLost();
    while (this.#mayBeDue && this.#freeSlots > 0 && !this.#stopped) {
      this.#mayBeDue = false;
      const wanted = this.#freeSlots;
      const jobs = await this.#jobs.take(wanted);
      for (const job of jobs) this.#start(job);
      if (jobs.length === wanted) this.#mayBeDue = true;
    }
    if (this.#mayBeDue || this.#stopped) return LOOK_EVERY_MS;
    const nextMs = (await this.#jobs.untilNext()) ?? LOOK_EVERY_MS;
    return Math.min(LOOK_EVERY_MS, Math.max(MIN_PAUSE_MS, Math.ceil(nextMs)));
  }

  async #giveBackLost(): Promise<void> {
    if (performance.now() < this.#comparedAt + LOOK_EVERY_MS) return;
    await this.#jobs.giveBackAllBut([...this.#runs.keys()]);
    this.#comparedAt = performance.now();
  }

  #start(job: Job): void {
    const key = jobKey(job);
    const current = this.#runs.get(key);
    if (current) {
      current.again = job;
      return;
    }
    const run: Run = { ended: Promise.resolve(), again: undefined };
    this.#runs.set(key, run);
    run.ended = this.#work(job, run);
  }

  async #work(first: Job, run: Run): Promise<void> {
    for (let job: Job | undefined = first; job; job = run.again) {
      run.again = undefined;
      await this.#end(job, run, await this.#succeeds(job));
    }
    this.#runs.delete(jobKey(first));
    this.#lookIfDue();
  }

  async #succeeds(job: Job): Promise<boolean> {
    try {
      await this.options.run(job, this.#stopping.signal);
      return true;
    } catch (error) {
      const { resource, id } = job;
      this.options.logger.error({ err: error, resource, id }, 'a job failed and will be run again');
      return false;
    }
  }

  /** Tries until Postgres answers. A worker that stops before leaves the job to others. */
  async #end(job: Job, run: Run, hasSucceeded: boolean): Promise<void> {
    while (!run.again) {
      try {
        await (hasSucceeded ? this.#jobs.end(job) : this.#jobs.retry(job));
        return;
      } catch (error) {
        if (this.#stopped) return;
        const { resource, id } = job;
        this.options.logger.warn(
          { err: error, resource, id },
          'the end of a job is not recorded yet',
        );
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}
