/**
 * Wakes the idle slots of a worker when a job falls due. The library would have each slot look every
 * second; this looks once for all of them, and sets a timer for the next job.
 *
 * Always holds: it has looked since a slot last found nothing, which a slot does after every
 * notification, and since notifications began to be heard: those before were lost with their
 * connection. The looks that come by themselves are for what neither explains.
 */
import type { EventEmitter } from 'node:events';
import type { DataSource } from 'typeorm';

/** A slot of the library. */
interface Slot {
  /** @returns false if it is at work, and will look for another job by itself */
  nudge(): boolean;
}

const LOOK_EVERY_MS = 30_000;
/** Pause after an empty look: another transaction may hold the due job. */
const MIN_PAUSE_MS = 100;

/** The times of the next jobs, in milliseconds from now. */
const NEXT = `
  SELECT extract(epoch FROM run_at - clock_timestamp())::double precision * 1000 AS ms
    FROM graphile_worker._private_jobs
   WHERE is_available AND task_id = ANY(ARRAY(
           SELECT id FROM graphile_worker._private_tasks WHERE identifier = ANY($1)))
   ORDER BY priority, run_at LIMIT $2`;

export class Alarm {
  readonly #slots = new Set<Slot>();
  #timer: NodeJS.Timeout | undefined;
  /** The time of the next alarm, and of the last. */
  #at = Infinity;
  #lookedAt = -Infinity;
  #looking = false;
  #stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly tasks: readonly string[],
    events: EventEmitter,
  ) {
    events.on('worker:create', ({ worker }: { worker: Slot }) => this.#slots.add(worker));
    events.on('worker:release', ({ worker }: { worker: Slot }) => this.#slots.delete(worker));
    events.on('worker:getJob:empty', () => this.lookSoon());
    events.once('stop', () => this.stop());
    this.#lookAt(performance.now() + LOOK_EVERY_MS);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  lookSoon(): void {
    this.#lookAt(Math.max(performance.now(), this.#lookedAt + MIN_PAUSE_MS));
  }

  /** Schedules a look, unless an earlier one is due. */
  #lookAt(time: number): void {
    if (this.#stopped || time >= this.#at) return;
    clearTimeout(this.#timer);
    this.#at = time;
    this.#timer = setTimeout(() => void this.#look(), Math.ceil(time - performance.now()));
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    this.#at = Infinity;
    this.#lookedAt = performance.now();
    this.#lookAt(this.#lookedAt + LOOK_EVERY_MS);
    if (this.#looking) return;
    this.#looking = true;
    try {
      const times = await this.#next();
      this.#wake(times.filter((ms) => ms <= 0).length);
      const next = times.find((ms) => ms > 0);
      if (next !== undefined) this.#lookAt(performance.now() + next);
    } catch {
      // Postgres is unreachable; the next look finds the due jobs.
    } finally {
      this.#looking = false;
    }
  }

  #wake(count: number): void {
    let left = count;
    for (const slot of this.#slots) {
      if (left <= 0) return;
      if (slot.nudge()) left -= 1;
    }
  }

  async #next(): Promise<number[]> {
    const slots = Math.max(1, this.#slots.size);
    const rows: { ms: number }[] = await this.dataSource.query(NEXT, [this.tasks, slots]);
    return rows.map(({ ms }) => ms);
  }
}
