/**
 * SQL of `tasks`.
 *
 * Always holds: a task ends in the transaction that ends its import or deletes its image.
 */
import { randomUUID } from 'node:crypto';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError, notFound } from '@cumulet/common/errors/domain-error';
import { equals, equalsIfGiven, rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { Injectable } from '@nestjs/common';
import type { ImageId } from '../image.entity.js';
import { IMAGE_IMPORT, Task, type TaskId } from './task.entity.js';

export type TaskEnd =
  | { readonly status: 'success'; readonly result: Record<string, unknown> }
  | { readonly status: 'failure'; readonly message: string };

const RUNNING = `status IN ('pending', 'processing')`;

export class TaskNotFoundError extends notFound((id: string) => `No task found with ID ${id}.`) {}

@Injectable()
export class TaskRepository extends Table<Task> {
  constructor() {
    super(Task, {
      missing: (key) => new TaskNotFoundError(rowOf(key).id ?? ''),
      missingMarker: (key) =>
        new InvalidInputError(`Invalid input: marker '${rowOf(key).id}' is not the ID of a task.`),
    });
  }

  async findRunning(ctx: RequestContext, imageId: ImageId): Promise<Task | undefined> {
    return (await this.select(ctx, [equals('imageId', imageId), () => RUNNING]))[0];
  }

  /**
   * Oldest first.
   * @param owner limits the list to a project's tasks; absent for all
   */
  listOfImage(
    ctx: RequestContext,
    imageId: ImageId,
    owner: ProjectId | undefined,
  ): Promise<Task[]> {
    const conditions = [equals('imageId', imageId), ...equalsIfGiven('owner', owner)];
    return this.select(ctx, conditions, 'ORDER BY created_at, id');
  }

  async begin(ctx: RequestContext, imageId: ImageId): Promise<void> {
    await ctx.manager.query(
      `UPDATE tasks SET status = 'processing', updated_at = clock_timestamp()
        WHERE image_id = $1 AND status = 'pending'`,
      [imageId],
    );
  }

  /** @param lifetimeHours after which the ended task is deleted */
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

  /** @returns how many were deleted */
  removeExpired(ctx: RequestContext): Promise<number> {
    return this.deleteAll(ctx, [() => 'expires_at < now()']);
  }
}

/**
 * @param owner the project that requests the import, which may be an administrator's
 * @param input the request, as its owner may see it
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
