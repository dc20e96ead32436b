import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ImageId } from '../images/image.entity.js';
import { ImageIdPipe } from '../images/image-id.pipe.js';
import { imageTasksView, type TaskView } from './task.view.js';
import { TasksService } from './tasks.service.js';

/** Public source: Image API reference, "Show tasks associated with image". */
@ApiTags('tasks')
@Controller('v2/images/:image_id/tasks')
export class ImageTasksController {
  constructor(private readonly tasks: TasksService) {}

  @Get()
  @Allow('reader')
  async list(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) id: ImageId,
  ): Promise<TaskView> {
    return imageTasksView(await this.tasks.listOfImage(ctx, id), ctx.projectId);
  }
}
