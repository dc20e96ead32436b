import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TaskId } from './task.entity.js';
import { TaskIdPipe } from './task-id.pipe.js';
import { ListTasksQuery } from './task.query.js';
import { taskListView, TASKS_PATH, taskView, type TaskView } from './task.view.js';
import { TasksService } from './tasks.service.js';

/** For administrators alone, as by Glance's default. Public source: Image API reference, "Tasks". */
@ApiTags('tasks')
@Controller('v2/tasks')
export class TasksController {
  constructor(private readonly tasks: TasksService) {}

  @Get()
  @Allow('admin')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListTasksQuery): Promise<TaskView> {
    const page = await this.tasks.list(ctx, query);
    return taskListView(page, ctx.fields.requestUrl ?? TASKS_PATH);
  }

  @Get(':task_id')
  @Allow('admin')
  async show(
    @Ctx() ctx: RequestContext,
    @Param('task_id', TaskIdPipe) id: TaskId,
  ): Promise<TaskView> {
    return taskView(await this.tasks.show(ctx, id), ctx.projectId);
  }
}
