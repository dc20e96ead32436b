import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { viewIn } from '@cumulet/common/http/shown';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import type { ImageId } from '../images/image.entity.js';
import { ImageParam } from '../images/image-id.pipe.js';
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
import { TaskRepository } from '../images/tasks/task.repository.js';
import { TasksService } from './tasks.service.js';

/**
 * Only administrators may see tasks, as by Glance's default, except those of an image. Public
 * source: Image API reference, "Tasks" and "Show tasks associated with image".
 */
@Controller('v2')
export class TasksController {
  constructor(private readonly tasks: TasksService) {}

  @Get('tasks')
  @Allow('admin')
  @Operation('List tasks', TaskList)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListTasksQuery): Promise<object> {
    const page = await this.tasks.list(ctx, query);
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
    return viewIn(ctx, TaskView, timestamp)(await this.tasks.show(ctx, id));
  }

  @Get('images/:image_id/tasks')
  @Allow('reader')
  @Operation("List an image's tasks", ImageTaskList)
  async listOfImage(@Ctx() ctx: RequestContext, @ImageParam() id: ImageId): Promise<object> {
    const tasks = await this.tasks.listOfImage(ctx, id);
    return { tasks: tasks.map(viewIn(ctx, ImageTask, storedTime)) };
  }
}

/** `2026-01-31T12:00:00.000000` */
function storedTime(date: Date): string {
  return date.toISOString().replace('Z', '000');
}

@Feature({
  controllers: [TasksController],
  providers: [TasksService, TaskRepository],
  entities: [Task],
})
export class TasksModule {}
