/**
 * Threads for templates, so that large ones do not block the event loop. They start on first use,
 * end when idle, and do not keep the process alive.
 *
 * Always holds: work that takes too long or too much memory ends with its thread, without other
 * effects.
 */
import { MessageChannel } from 'node:worker_threads';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { StoppingError } from '@cumulet/common/service/drain';
import { Piscina } from 'piscina';
import { TemplateError } from '../template/template.errors.js';
import { arrivedError } from '../template/error-transfer.js';
import type { TemplateWork, ThreadOutcome, ThreadTask, WorkName } from './template-thread.js';
import { Turns } from './turns.js';

export interface TemplateThreadsOptions {
  readonly threads: number;
  /** For one task, once a thread has begun with it. */
  readonly seconds: number;
  /** Of a thread's heap. */
  readonly megabytes: number;
}

const IDLE_MS = 60_000;

/** Imports use compiled names, but a thread's entry file is not imported. */
const FILE = new URL(
  import.meta.url.endsWith('.ts') ? './template-thread.ts' : './template-thread.js',
  import.meta.url,
);

export class TemplateThreads {
  readonly #turns: Turns;
  /** Aborting one ends its thread. */
  readonly #underWay = new Set<AbortController>();
  #pool: Piscina<ThreadTask, ThreadOutcome> | undefined;
  #isClosed = false;

  constructor(private readonly options: TemplateThreadsOptions) {
    this.#turns = new Turns(options.threads);
  }

  /** @param of whose turn it is. @throws the work's error, and TemplateError if it takes too much */
  async run<N extends WorkName>(
    of: string,
    work: N,
    ...args: Parameters<TemplateWork[N]>
  ): Promise<ReturnType<TemplateWork[N]>> {
    const outcome = await this.#turns.run(of, () => this.#perform({ work, args }));
    if ('error' in outcome) throw arrivedError(outcome.error);
    return outcome.result as ReturnType<TemplateWork[N]>;
  }

  /** Ends all threads; work in progress fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const controller of this.#underWay) controller.abort(new StoppingError());
    await this.#pool?.destroy();
  }

  async #perform(task: Omit<ThreadTask, 'begins'>): Promise<ThreadOutcome> {
    if (this.#isClosed) throw new StoppingError();
    this.#pool ??= this.#makePool();
    const controller = new AbortController();
    const { port1: begun, port2: begins } = new MessageChannel();
    let timer: NodeJS.Timeout | undefined;
    begun.once('message', () => (timer = this.#limit(controller)));
    begun.unref();
    this.#underWay.add(controller);
    try {
      return await this.#pool.run(
        { ...task, begins },
        { signal: controller.signal, transferList: [begins] },
      );
    } catch (error) {
      throw this.#failure(error, controller.signal);
    } finally {
      begun.close();
      clearTimeout(timer);
      this.#underWay.delete(controller);
    }
  }

  #limit(controller: AbortController): NodeJS.Timeout {
    const { seconds } = this.options;
    return setTimeout(() => {
      controller.abort(new TemplateError(`Reading the template takes longer than ${seconds} s.`));
    }, seconds * 1_000);
  }

  #failure(error: unknown, { aborted, reason }: AbortSignal): unknown {
    if (aborted) return reason;
    const { code } = error as { code?: unknown };
    if (code === 'ERR_WORKER_OUT_OF_MEMORY')
      return new TemplateError(
        `Reading the template takes more memory than ${this.options.megabytes} MB.`,
      );
    return new DomainError('bug', 'The template could not be read.', { cause: error });
  }

  #makePool(): Piscina<ThreadTask, ThreadOutcome> {
    const { threads, megabytes } = this.options;
    const pool = new Piscina<ThreadTask, ThreadOutcome>({
      filename: FILE.href,
      name: 'perform',
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      // Threads need no secrets from the environment.
      env: {},
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
    });
    // A thread that fails to start reports it here, and its work would otherwise wait in vain.
    pool.on('error', (error: unknown) => {
      const failure = new DomainError('bug', 'A thread could not be started.', { cause: error });
      for (const controller of this.#underWay) controller.abort(failure);
    });
    return pool;
  }
}
