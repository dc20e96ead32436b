import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ImagesConfig } from '../config.js';
import { IMAGES_CONFIG, IMAGES_LOGGER } from '../injection-tokens.js';
import { TaskRepository } from './task.repository.js';

@Injectable()
export class TasksSweep {
  constructor(
    private readonly tasks: TaskRepository,
    @Inject(IMAGES_CONFIG) private readonly config: Pick<ImagesConfig, 'taskLifetimeHours'>,
    @Inject(IMAGES_LOGGER) private readonly logger: Logger,
  ) {}

  /** Ends the tasks whose image was deleted under them, and forgets those that ended long ago. */
  @SweepEvery(5_000, 'tasks')
  async run(ctx: RequestContext): Promise<void> {
    await this.tasks.endAbandoned(ctx, 'The image was deleted.', this.config.taskLifetimeHours);
    const removed = await this.tasks.removeExpired(ctx);
    if (removed > 0) this.logger.info({ removed }, 'forgot tasks that have expired');
  }
}
