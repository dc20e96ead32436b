import { Allow } from '@cumulet/common/auth/access';
import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { viewIn } from '@cumulet/common/http/shown';
import { SweepEvery } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { LOGGER } from '@cumulet/common/service/tokens';
import { pageOfQuery } from '@cumulet/common/tables/page';
import { Controller, Get, Inject, Injectable, Param, Query } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ImageId } from '../images/image.entity.js';
import { ImageParam } from '../images/image-id.pipe.js';
import { ImagesService } from '../images/images.service.js';
import { pageLinks } from '../images/page-query.js';
import { timestamp } from '../images/timestamp.js';
import {
  ImageTask,
  ImageTaskList,
  ListTasksQuery,
  TaskList,
  TaskSummary,
  TaskView,
} from './task.dto.js';
import { Task } from '../images/tasks/task.entity.js';
import { TaskNotFoundError, TaskRepository } from '../images/tasks/task.repository.js';

const MAX_PAGE = 1000;

/**
 * As by Glance's default, only administrators see tasks, except an image's. Public source: Image
 * API reference, "Tasks" and "Show tasks associated with image".
 */
@Controller('v2')
export class TasksController {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly images: ImagesService,
  ) {}

  @Get('tasks')
  @Allow('admin')
  @Operation('List tasks', TaskList)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListTasksQuery): Promise<object> {
    const page = await this.tasks.list(ctx, pageOfQuery(query, MAX_PAGE));
    return {
      tasks: page.rows.map(viewIn(ctx, TaskSummary, timestamp)),
      ...pageLinks(ctx, page, ({ id }) => id),
      schema: '/v2/schemas/tasks',
    };
  }

  @Get('tasks/:task_id')
  @Allow('admin')
  @Operation('Show a task', TaskView)
  async show(@Ctx() ctx: RequestContext, @Param('task_id') id: string): Promise<object> {
    if (!isUuid(id)) throw new TaskNotFoundError(id);
    return viewIn(ctx, TaskView, timestamp)(await this.tasks.get(ctx, id));
  }

  @Get('images/:image_id/tasks')
  @Allow('reader')
  @Operation("List an image's tasks", ImageTaskList)
  async listOfImage(@Ctx() ctx: RequestContext, @ImageParam() id: ImageId): Promise<object> {
    await this.images.show(ctx, id);
    // Other projects' tasks are for administrators.
    const owner = actsAcrossProjects(ctx) ? undefined : ctx.projectId;
    const tasks = await this.tasks.listOfImage(ctx, id, owner);
    return { tasks: tasks.map(viewIn(ctx, ImageTask, storedTime)) };
  }
}

/** `2026-01-31T12:00:00.000000` */
function storedTime(date: Date): string {
  return date.toISOString().replace('Z', '000');
}

@Injectable()
export class TasksSweep {
  constructor(
    private readonly tasks: TaskRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @SweepEvery(60_000, 'tasks')
  async removeExpired(ctx: RequestContext): Promise<void> {
    const removed = await this.tasks.removeExpired(ctx);
    if (removed > 0) this.logger.info({ removed }, 'deleted tasks that have expired');
  }
}

@Feature({
  controllers: [TasksController],
  providers: [TaskRepository, TasksSweep],
  entities: [Task],
})
export class TasksModule {}
