/** Tasks on the wire. Public source: Image API reference, "Tasks" and "Show tasks". */
import { EnumField, UuidField } from '@cumulet/common/http/fields';
import { answerClass, Shown, type ViewContext } from '@cumulet/common/http/shown';
import { FilteredBy } from '@cumulet/common/tables/listing';
import { UUID_PATTERN } from '../images/image.attributes.js';
import { pageQuery } from '../images/page-query.js';
import { ImportDto, withoutSecrets } from '../imports/import.dto.js';
import { SchemaPath } from '../http/schema.view.js';
import {
  IMAGE_IMPORT,
  TASK_STATUSES,
  type Task,
  type TaskStatus,
} from '../images/tasks/task.entity.js';

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

const TaskInput = answerClass('TaskInput', {
  image_id: Shown(String, 'The image.'),
  import_req: Shown(() => ImportDto, 'The body of the request.'),
  backend: Shown([String], 'The stores that are to hold the data.'),
});

const TaskResult = answerClass('TaskResult', { image_id: Shown(String, 'The image.') });

const COLUMNS = {
  id: Shown(String, 'Its id.', { schema: { pattern: UUID_PATTERN } }),
  type: Shown(String, 'What is done.', { enum: TASK_TYPES }),
  status: Shown(String, 'How far it is.', { enum: TASK_STATUSES }),
  owner: Shown(String, 'The project that asked.'),
};

const SUMMARY = {
  ...COLUMNS,
  created_at: Shown('date-time', 'When it was asked for.'),
  updated_at: Shown('date-time', 'When it last changed.'),
  expires_at: Shown<Task>('date-time', 'When it is forgotten, once it has ended.', {
    optional: true,
  }),
  self: Shown<Task>(String, 'Its path.', {
    from: ({ id }) => `/v2/tasks/${id}`,
    schema: { readOnly: true },
  }),
  schema: SchemaPath('task'),
};

const COURSE = {
  input: Shown<Task>(() => TaskInput, 'What was asked for.', { from: inputView }),
  result: Shown(() => TaskResult, 'What has come of it.', { nullable: true }),
  message: Shown(String, 'Why it failed.'),
};

const ASKED_BY = {
  request_id: Shown(String, 'The request that asked.'),
  user_id: Shown(String, 'The user who asked.'),
};

/** A list omits what can be long. */
export const TaskSummary = answerClass('TaskSummary', SUMMARY);

export const TaskView = answerClass('TaskView', {
  ...SUMMARY,
  ...COURSE,
  image_id: Shown(String, 'The image that it is about.', { optional: true }),
  ...ASKED_BY,
});

/** Among an image's tasks Glance shows one as stored, with other times than elsewhere. */
export const ImageTask = answerClass('ImageTask', {
  ...COLUMNS,
  image_id: Shown(String, 'The image that it is about.', { nullable: true }),
  ...ASKED_BY,
  ...COURSE,
  created_at: Shown(String, 'When it was asked for, without a zone: UTC.'),
  updated_at: Shown(String, 'When it last changed.'),
  expires_at: Shown(String, 'When it is forgotten; null before it has ended.', { nullable: true }),
  deleted_at: Shown(String, 'Always null.', { nullable: true, from: () => null }),
  deleted: Shown(Boolean, 'Always false.', { from: () => false }),
});

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
