import type { Sweep } from '@cumulet/common/jobs/sweep';
import type { Logger } from 'pino';
import type { TaskRepository } from './task.repository.js';

/**
 * Ends the tasks whose image was deleted under them, and forgets those that ended long ago.
 * @param lifetimeHours how long an ended task is kept
 */
export function tasksSweep(tasks: TaskRepository, lifetimeHours: number, logger: Logger): Sweep {
  return {
    name: 'tasks',
    everyMs: 5_000,
    async run(ctx) {
      await tasks.endAbandoned(ctx, 'The image was deleted.', lifetimeHours);
      const removed = await tasks.removeExpired(ctx);
      if (removed > 0) logger.info({ removed }, 'forgot tasks that have expired');
    },
  };
}
