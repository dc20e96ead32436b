import { randomUUID } from 'node:crypto';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { ImageId } from '../images/image.entity.js';
import { Task, type TaskId } from './task.entity.js';

/** What Glance calls the import of an image. */
export const IMAGE_IMPORT = 'api_image_import';

/**
 * The row of an import that nobody has begun yet.
 * @param owner the project that asks, which is the image's unless an administrator does
 * @param input what is asked for, as its owner gets to see it
 */
export function newImportTask(
  ctx: RequestContext,
  owner: ProjectId,
  imageId: ImageId,
  input: Record<string, unknown>,
): Task {
  const now = new Date();
  return Object.assign(new Task(), {
    id: asId<TaskId>(randomUUID()),
    type: IMAGE_IMPORT,
    status: 'pending' as const,
    owner,
    userId: ctx.userId,
    requestId: ctx.requestId,
    imageId,
    input,
    result: null,
    message: '',
    createdAt: now,
    updatedAt: now,
    expiresAt: null,
  });
}
