import { isUuid } from '@cumulet/common/context/ids';
import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { pageOfQuery } from '@cumulet/common/tables/page';
import { SweepEvery } from '@cumulet/common/service/background';
import { LOGGER } from '@cumulet/common/service/tokens';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ImageId } from '../images/image.entity.js';
import { ImagesService } from '../images/images.service.js';
import type { ListTasksQuery } from './task.dto.js';
import type { Task } from '../images/tasks/task.entity.js';
import { TaskNotFoundError, TaskRepository } from '../images/tasks/task.repository.js';

const MAX_PAGE = 1000;

@Injectable()
export class TasksService {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly images: ImagesService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws TaskNotFoundError */
  async show(ctx: RequestContext, id: string): Promise<Task> {
    if (!isUuid(id)) throw new TaskNotFoundError(id);
    return this.tasks.get(ctx, id);
  }

  /** @throws InvalidInputError for a marker that is not a task */
  list(ctx: RequestContext, query: ListTasksQuery): Promise<PageOfRows<Task>> {
    return this.tasks.list(ctx, pageOfQuery(query, MAX_PAGE));
  }

  /**
   * What the caller's project has done with an image; for an administrator, what anyone has.
   * @throws ImageNotFoundError
   */
  async listOfImage(ctx: RequestContext, id: ImageId): Promise<Task[]> {
    await this.images.show(ctx, id);
    return this.tasks.listOfImage(ctx, id, actsAcrossProjects(ctx) ? undefined : ctx.projectId);
  }

  @SweepEvery(60_000, 'tasks')
  async removeExpired(ctx: RequestContext): Promise<void> {
    const removed = await this.tasks.removeExpired(ctx);
    if (removed > 0) this.logger.info({ removed }, 'forgot tasks that have expired');
  }
}
