/** Tasks on the wire. Public source: Image API reference, "Tasks" and "Show tasks". */
import { EnumField, UuidField } from '@cumulet/common/http/fields';
import { answerClass, Shown, type ViewContext } from '@cumulet/common/http/shown';
import { FilteredBy } from '@cumulet/common/tables/listing';
import { UUID_PATTERN } from '../images/image.attributes.js';
import { pageQuery } from '../images/page-query.js';
import { ImportDto, withoutSecrets } from '../imports/import.dto.js';
import { SchemaPath } from '../schemas/schema.view.js';
import { IMAGE_IMPORT, TASK_STATUSES, type Task, type TaskStatus } from './task.entity.js';

const TASK_TYPES = ['import', IMAGE_IMPORT, 'location_import'];

export class ListTasksQuery extends pageQuery(
  {
    created_at: 'createdAt',
    updated_at: 'updatedAt',
    // A task that does not expire sorts after those that do.
    expires_at: { sql: `COALESCE(expires_at, 'infinity')` },
    id: 'id',
    owner: 'owner',
    status: 'status',
    type: 'type',
  },
  25,
  UuidField({ optional: true }),
) {
  @FilteredBy()
  @EnumField(TASK_STATUSES, { optional: true })
  status?: TaskStatus;

  @FilteredBy()
  @EnumField(TASK_TYPES, { optional: true })
  type?: string;
}

class TaskInput {
  @Shown(String, 'The image.')
  image_id: string;

  @Shown(() => ImportDto, 'The body of the request.')
  import_req: ImportDto;

  @Shown([String], 'The stores that are to hold the data.')
  backend: string[];
}

class TaskResult {
  @Shown(String, 'The image.')
  image_id: string;
}

class TaskColumns {
  @Shown(String, 'Its id.', { schema: { pattern: UUID_PATTERN } })
  id: string;

  @Shown(String, 'What is done.', { enum: TASK_TYPES })
  type: string;

  @Shown(String, 'How far it is.', { enum: TASK_STATUSES })
  status: string;

  @Shown(String, 'The project that asked.')
  owner: string;
}

/** A list omits what can be long. */
export class TaskSummary extends TaskColumns {
  @Shown('date-time', 'When it was asked for.')
  created_at: string;

  @Shown('date-time', 'When it last changed.')
  updated_at: string;

  @Shown<Task>('date-time', 'When it is forgotten, once it has ended.', {
    optional: true,
    from: ({ expiresAt }) => expiresAt ?? undefined,
  })
  expires_at?: string;

  @Shown<Task>(String, 'Its path.', {
    from: ({ id }) => `/v2/tasks/${id}`,
    schema: { readOnly: true },
  })
  self: string;

  @SchemaPath('task')
  schema: string;
}

export class TaskView extends TaskSummary {
  @Shown<Task>(() => TaskInput, 'What was asked for.', { from: inputView })
  input: object;

  @Shown(() => TaskResult, 'What has come of it.', { nullable: true })
  result: object | null;

  @Shown(String, 'Why it failed.')
  message: string;

  @Shown<Task>(String, 'The image that it is about.', {
    optional: true,
    from: ({ imageId }) => imageId ?? undefined,
  })
  image_id?: string;

  @Shown(String, 'The request that asked.')
  request_id: string;

  @Shown(String, 'The user who asked.')
  user_id: string;
}

/** Among an image's tasks Glance shows one as stored, with other times than elsewhere. */
export class ImageTask extends TaskColumns {
  @Shown(String, 'The image that it is about.', { nullable: true })
  image_id: string | null;

  @Shown(String, 'The request that asked.')
  request_id: string;

  @Shown(String, 'The user who asked.')
  user_id: string;

  @Shown<Task>(() => TaskInput, 'What was asked for.', { from: inputView })
  input: object;

  @Shown(() => TaskResult, 'What has come of it.', { nullable: true })
  result: object | null;

  @Shown(String, 'Why it failed.')
  message: string;

  @Shown(String, 'When it was asked for, without a zone: UTC.')
  created_at: string;

  @Shown(String, 'When it last changed.')
  updated_at: string;

  @Shown(String, 'When it is forgotten; null before it has ended.', { nullable: true })
  expires_at: string | null;

  @Shown(String, 'Always null.', { nullable: true, from: () => null })
  deleted_at: null;

  @Shown(Boolean, 'Always false.', { from: () => false })
  deleted: boolean;
}

export const TaskList = answerClass('TaskList', {
  tasks: Shown([() => TaskSummary], 'The tasks of the page.'),
  first: Shown(String, 'The path of the first page.'),
  next: Shown(String, 'The path of the next page, where there is one.', { optional: true }),
  schema: Shown(String, 'The path of the schema.'),
});

export const ImageTaskList = answerClass('ImageTaskList', {
  tasks: Shown([() => ImageTask], 'The tasks, the oldest first.'),
});

/** An address may itself grant access to its data, and is only for the project that asked. */
function inputView({ input, owner }: Task, { fields }: ViewContext): object {
  return owner === fields.projectId ? input : withoutSecrets(input);
}
