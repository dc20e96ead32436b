/**
 * Stacks that are changed at random while the cloud's process is killed. `npm run chaos -- stacks`;
 * CHAOS_STACK_CHANGES says how many changes are accepted (120).
 */
import { RunningCloud } from '../support/running-cloud.js';
import { SIMULATED } from './settings.js';
import { stackSuite } from './stack-suite.js';

stackSuite('stacks of a cloud that is killed again and again', {
  changes: Number(process.env['CHAOS_STACK_CHANGES'] ?? 120),
  clients: 3,
  killAfter: [5, 20],
  async start() {
    const cloud = await RunningCloud.start(SIMULATED);
    return {
      cloud,
      async kill() {
        await cloud.kill();
        await cloud.start();
      },
      remove: () => cloud.remove(),
    };
  },
});
