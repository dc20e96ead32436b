import type { Worker } from './worker.js';

/** Several workers of one process, each with slots of its own. */
export class Workers {
  constructor(private readonly workers: readonly Worker[]) {}

  /** One after the other, in their order. */
  async start(): Promise<void> {
    for (const worker of this.workers) await worker.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
  }
}
