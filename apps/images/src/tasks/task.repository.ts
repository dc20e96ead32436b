/**
 * All SQL of the table `tasks`.
 *
 * Always holds: a task ends in the transaction in which the import of its image does, but for one whose image was deleted: that ends with the next sweep, or the next import of that id.
 */
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { pageClause, type PageRequest } from '@cumulet/common/http/paging';
import { Injectable } from '@nestjs/common';
import type { ImageId } from '../images/image.entity.js';
import { IMPORT_STATES } from '../images/image.states.js';
import { Task, type TaskId, type TaskStatus } from './task.entity.js';

export interface TaskFilter {
  readonly status?: TaskStatus | undefined;
  readonly type?: string | undefined;
}

/** How a task ended. */
export type TaskEnd =
  | { readonly status: 'success'; readonly result: Record<string, unknown> }
  | { readonly status: 'failure'; readonly message: string };

const RUNNING = `status IN ('pending', 'processing')`;

@Injectable()
export class TaskRepository {
  find(ctx: RequestContext, id: TaskId): Promise<Task | undefined> {
    return selectRow(ctx.manager, Task, 'WHERE id = $1', [id]);
  }

  /** The import of this image that is under way. */
  findRunning(ctx: RequestContext, imageId: ImageId): Promise<Task | undefined> {
    return selectRow(ctx.manager, Task, `WHERE image_id = $1 AND ${RUNNING}`, [imageId]);
  }

  /** In the order of the sort keys, after the marker where there is one. */
  list(ctx: RequestContext, filter: TaskFilter, page: PageRequest): Promise<Task[]> {
    const { condition, order, params } = pageClause(page, 3);
    return selectRows(
      ctx.manager,
      Task,
      `WHERE ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR type = $2)
         AND ${condition} ${order}`,
      [filter.status ?? null, filter.type ?? null, ...params],
    );
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
    return selectRows(
      ctx.manager,
      Task,
      'WHERE image_id = $1 AND ($2::text IS NULL OR owner = $2) ORDER BY created_at, id',
      [imageId, owner ?? null],
    );
  }

  async insert(tx: RequestContext, task: Task): Promise<void> {
    await tx.manager.query(
      `INSERT INTO tasks (id, type, status, owner, user_id, request_id, image_id, input)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        task.id,
        task.type,
        task.status,
        task.owner,
        task.userId,
        task.requestId,
        task.imageId,
        JSON.stringify(task.input),
      ],
    );
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

  /** Ends those whose image has been deleted. @returns how many */
  async endAbandoned(ctx: RequestContext, message: string, lifetimeHours: number): Promise<number> {
    const [, ended]: [unknown, number] = await ctx.manager.query(
      `UPDATE tasks
          SET status = 'failure', message = $1, updated_at = now(),
              expires_at = now() + $2 * interval '1 hour'
        WHERE ${RUNNING} AND NOT EXISTS (
          SELECT FROM images WHERE images.id = tasks.image_id AND images.state = ANY($3))`,
      [message, lifetimeHours, IMPORT_STATES],
    );
    return ended;
  }

  async removeExpired(ctx: RequestContext): Promise<number> {
    const [, removed]: [unknown, number] = await ctx.manager.query(
      'DELETE FROM tasks WHERE expires_at < now()',
    );
    return removed;
  }
}
