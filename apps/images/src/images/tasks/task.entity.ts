import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import { shownOnly } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { choice, id, json, moment, orNull, text } from '@cumulet/common/resources/field-type';
import { Check, Entity, Index } from 'typeorm';
import { UUID_PATTERN } from '../image.attributes.js';
import type { ImageId } from '../image.entity.js';

export type TaskId = Id<'Task'>;

export const IMAGE_IMPORT = 'api_image_import';

export const TASK_TYPES = ['import', IMAGE_IMPORT, 'location_import'];

export const TASK_STATUSES = ['pending', 'processing', 'success', 'failure'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

const NOW = { default: () => 'now()' };

export const TASK = {
  createdAt: shownOnly(moment, { about: 'When the task was created.', column: NOW }),
  updatedAt: shownOnly(moment, { about: 'When the task last changed.', column: NOW }),
  expiresAt: shownOnly(orNull(moment), { about: 'When the task, once it has ended, is deleted.' }),
  id: shownOnly(id<TaskId>(), {
    about: 'The ID.',
    schema: { pattern: UUID_PATTERN },
    column: { primary: true, primaryKeyConstraintName: 'tasks_pkey' },
  }),
  owner: shownOnly(text<ProjectId>(), { about: 'The ID of the project that owns the task.' }),
  status: shownOnly(choice(TASK_STATUSES), { about: 'The status of the task.' }),
  type: shownOnly(choice<string>(TASK_TYPES), { about: 'The type of the task.' }),
  userId: shownOnly(text<UserId>(), { about: 'The ID of the user who created the task.' }),
  requestId: shownOnly(text(), { about: 'The ID of the request that created the task.' }),
  imageId: shownOnly(orNull(id<ImageId>()), { about: 'The ID of the image.' }),
  input: shownOnly(json<Record<string, unknown>>(), { about: 'The request, as it was sent.' }),
  result: shownOnly(orNull(json<Record<string, unknown>>()), { about: 'The result.' }),
  message: shownOnly(text(), { about: 'The reason for a failure.', column: { default: '' } }),
} as const;

/** A client's record of an import, which the image's state drives. It outlives the image. */
@Entity('tasks')
@Index('tasks_image', ['imageId', 'createdAt'])
@Index('tasks_owner', ['owner', 'createdAt', 'id'])
@Index('tasks_running', ['imageId'], {
  unique: true,
  where: `status IN ('pending', 'processing')`,
})
@Index('tasks_expires_at', ['expiresAt'], { where: 'expires_at IS NOT NULL' })
@Check('tasks_status', `status IN ('pending', 'processing', 'success', 'failure')`)
export class Task extends rowOf(TASK) {}
