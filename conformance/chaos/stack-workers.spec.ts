/**
 * Stacks that are changed at random while the processes that work on them are killed, one at a time:
 * others go on with what it was at. `npm run chaos -- stack-workers`; CHAOS_STACK_WORKER_CHANGES says
 * how many changes are accepted (150).
 */
import { RunningCloud } from '../support/running-cloud.js';
import { OrchestrationProcess } from './orchestration-process.js';
import { SIMULATED } from './settings.js';
import { stackSuite } from './stack-suite.js';

const PROCESSES = 3;

stackSuite('stacks whose workers are killed again and again', {
  changes: Number(process.env['CHAOS_STACK_WORKER_CHANGES'] ?? 150),
  clients: 3,
  killAfter: [1, 6],
  async start() {
    // The cloud's own process takes part, and leaves most of the work to those that are killed.
    const cloud = await RunningCloud.start({ ...SIMULATED, ORCHESTRATION_CONCURRENCY: '1' });
    const processes = Array.from({ length: PROCESSES }, () => new OrchestrationProcess(cloud));
    const remove = async (): Promise<void> => {
      try {
        for (const one of processes) await one.kill();
      } finally {
        await cloud.remove();
      }
    };
    for (const one of processes) await one.start();
    return {
      cloud,
      async kill() {
        const one = processes[Math.floor(Math.random() * PROCESSES)];
        await one?.kill();
        await one?.start();
      },
      remove,
    };
  },
});
