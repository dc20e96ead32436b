/**
 * All SQL of the table `tasks`.
 *
 * Always holds: a task ends in the transaction in which the import of its image ends, or in which
 * the image is deleted.
 */
import { randomUUID } from 'node:crypto';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow } from '@cumulet/common/database/rows';
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { equals, equalsIfGiven, rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { Injectable } from '@nestjs/common';
import type { ImageId } from '../images/image.entity.js';
import { IMAGE_IMPORT, Task, type TaskId } from './task.entity.js';

/** How a task ended. */
export type TaskEnd =
  | { readonly status: 'success'; readonly result: Record<string, unknown> }
  | { readonly status: 'failure'; readonly message: string };

const RUNNING = `status IN ('pending', 'processing')`;

export class TaskNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `No task found with ID ${id}.`);
  }
}

@Injectable()
export class TaskRepository extends Table<Task> {
  constructor() {
    super(Task, {
      missing: (key) => new TaskNotFoundError(rowOf(key).id ?? ''),
      missingMarker: (key) =>
        new InvalidInputError(`Invalid input: marker '${rowOf(key).id}' is not the ID of a task.`),
    });
  }

  /** The import of this image that is under way. */
  findRunning(ctx: RequestContext, imageId: ImageId): Promise<Task | undefined> {
    return selectRow(ctx.manager, Task, `WHERE image_id = $1 AND ${RUNNING}`, [imageId]);
  }

  /**
   * The oldest first.
   * @param owner whose tasks alone; absent for everybody's
   */
  listOfImage(
    ctx: RequestContext,
    imageId: ImageId,
    owner: ProjectId | undefined,
  ): Promise<Task[]> {
    const conditions = [equals('imageId', imageId), ...equalsIfGiven('owner', owner)];
    return this.select(ctx, conditions, 'ORDER BY created_at, id');
  }

  /** Notes that somebody works on the import of an image. */
  async begin(ctx: RequestContext, imageId: ImageId): Promise<void> {
    await ctx.manager.query(
      `UPDATE tasks SET status = 'processing', updated_at = clock_timestamp()
        WHERE image_id = $1 AND status = 'pending'`,
      [imageId],
    );
  }

  /**
   * Ends the import of an image that is under way, if one is.
   * @param lifetimeHours how long the task is kept
   */
  async end(
    ctx: RequestContext,
    imageId: ImageId,
    end: TaskEnd,
    lifetimeHours: number,
  ): Promise<void> {
    const result = end.status === 'success' ? JSON.stringify(end.result) : null;
    const message = end.status === 'failure' ? end.message : '';
    await ctx.manager.query(
      `UPDATE tasks
          SET status = $2, result = $3, message = $4, updated_at = clock_timestamp(),
              expires_at = clock_timestamp() + $5 * interval '1 hour'
        WHERE image_id = $1 AND ${RUNNING}`,
      [imageId, end.status, result, message, lifetimeHours],
    );
  }

  async removeExpired(ctx: RequestContext): Promise<number> {
    const [, removed]: [unknown, number] = await ctx.manager.query(
      'DELETE FROM tasks WHERE expires_at < now()',
    );
    return removed;
  }
}

/**
 * The row of an import that nobody has begun yet.
 * @param owner the project that asks, which is the image's unless an administrator does
 * @param input what is asked for, as its owner gets to see it
 */
export function newImportTask(
  ctx: RequestContext,
  owner: ProjectId,
  imageId: ImageId,
  input: object,
): Partial<Task> & Pick<Task, 'id'> {
  return {
    id: asId<TaskId>(randomUUID()),
    type: IMAGE_IMPORT,
    status: 'pending',
    owner,
    userId: ctx.userId,
    requestId: ctx.requestId,
    imageId,
    input: { ...input },
  };
}
