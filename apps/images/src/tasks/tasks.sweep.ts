import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '@cumulet/common/service/tokens';
import { TaskRepository } from './task.repository.js';

@Injectable()
export class TasksSweep {
  constructor(
    private readonly tasks: TaskRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Deletes tasks that ended long ago. */
  @SweepEvery(60_000, 'tasks')
  async run(ctx: RequestContext): Promise<void> {
    const removed = await this.tasks.removeExpired(ctx);
    if (removed > 0) this.logger.info({ removed }, 'forgot tasks that have expired');
  }
}
