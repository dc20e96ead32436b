import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Injectable } from '@nestjs/common';
import type { ImageId } from '../images/image.entity.js';
import { ImagesService } from '../images/images.service.js';
import type { Task, TaskId } from './task.entity.js';
import { TaskNotFoundError } from './task.errors.js';
import { limitOf, sortOf, sortValues, type ListTasksQuery } from './task.query.js';
import { TaskRepository } from './task.repository.js';
import type { TaskPage } from './task.view.js';

@Injectable()
export class TasksService {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly images: ImagesService,
  ) {}

  /** @throws TaskNotFoundError */
  async show(ctx: RequestContext, id: TaskId): Promise<Task> {
    const task = await this.tasks.find(ctx, id);
    if (!task) throw new TaskNotFoundError(id);
    return task;
  }

  /** @throws InvalidInputError for a marker that is no task */
  async list(ctx: RequestContext, query: ListTasksQuery): Promise<TaskPage> {
    const [limit, sort] = [limitOf(query), sortOf(query)];
    const marker = query.marker === undefined ? undefined : await this.#marker(ctx, query.marker);
    const after = marker && sortValues(sort, marker);
    // One row more than is shown tells whether there is a next page.
    const rows = await this.tasks.list(ctx, query, { limit: limit + 1, sort, after });
    const tasks = rows.slice(0, limit);
    return { tasks, nextMarker: rows.length > limit ? tasks.at(-1)?.id : undefined };
  }

  /**
   * What the caller's project has done with an image; to an administrator, what anyone has.
   * @throws ImageNotFoundError
   */
  async listOfImage(ctx: RequestContext, id: ImageId): Promise<Task[]> {
    await this.images.show(ctx, id);
    return this.tasks.listOfImage(ctx, id, ctx.isAdmin ? undefined : ctx.projectId);
  }

  async #marker(ctx: RequestContext, text: string): Promise<Task> {
    const task = await this.tasks.find(ctx, asId(text));
    if (task) return task;
    throw new InvalidInputError(`Invalid input: marker '${text}' is not the ID of a task.`);
  }
}
