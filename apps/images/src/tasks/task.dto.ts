/** Tasks on the wire. Public source: Image API reference, "Tasks" and "Show tasks". */
import { EnumField, UuidField } from '@cumulet/common/http/fields';
import { allUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown, type ViewContext } from '@cumulet/common/http/shown';
import { answerOf, pick, sortKeysOf } from '@cumulet/common/resources/classes';
import { FilteredBy } from '@cumulet/common/tables/listing';
import { SchemaPath } from '../http/schema.view.js';
import { PAGE_LINKS, pageQuery } from '../images/page-query.js';
import {
  TASK,
  TASK_STATUSES,
  TASK_TYPES,
  type Task,
  type TaskStatus,
} from '../images/tasks/task.entity.js';
import { ImportDto, withoutSecrets } from '../imports/import.dto.js';

const SUMMARY = pick(TASK, [
  'createdAt',
  'updatedAt',
  'expiresAt',
  'id',
  'owner',
  'status',
  'type',
]);

export class ListTasksQuery extends pageQuery(
  {
    ...sortKeysOf(SUMMARY),
    // Tasks that do not expire sort last.
    expires_at: { sql: `COALESCE(expires_at, 'infinity')` },
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
  image_id: Shown(String, 'The ID of the image.'),
  import_req: Shown(() => ImportDto, 'The body of the request.'),
  backend: Shown([String], 'The stores that are to hold the data.'),
});

const TaskResult = answerClass('TaskResult', { image_id: Shown(String, 'The ID of the image.') });

const LINKS = {
  expires_at: Shown('date-time', TASK.expiresAt.about, { optional: true }),
  self: Shown<Task>(String, 'The path of the task.', {
    from: ({ id }) => `/v2/tasks/${id}`,
    schema: { readOnly: true },
  }),
  schema: SchemaPath('task'),
};

const COURSE = {
  input: Shown<Task>(() => TaskInput, TASK.input.about, { from: inputView }),
  result: Shown(() => TaskResult, TASK.result.about, { nullable: true }),
};

/** Lists omit long fields. */
export class TaskSummary extends answerOf(SUMMARY, LINKS) {}

export class TaskView extends answerOf(TASK, {
  ...LINKS,
  ...COURSE,
  image_id: Shown(String, TASK.imageId.about, { optional: true }),
}) {}

/** Glance shows an image's tasks as stored, with another format of times. */
export class ImageTask extends answerOf(TASK, {
  ...COURSE,
  created_at: Shown(String, 'When the task was created, in UTC without a zone.'),
  updated_at: Shown(String, 'When the task last changed.'),
  expires_at: Shown(String, TASK.expiresAt.about, { nullable: true }),
  deleted_at: Shown(String, 'Always null.', { nullable: true, from: () => null }),
  deleted: Shown(Boolean, 'Always false.', { from: () => false }),
}) {}

export const TaskList = answerClass('TaskList', {
  tasks: Shown([() => TaskSummary], 'The tasks of the page.'),
  ...PAGE_LINKS,
  schema: Shown(String, 'The path of the schema.'),
});

export const ImageTaskList = allUnder('tasks', ImageTask, 'The tasks, oldest first.');

/** A presigned URL grants access, so only the project that sent it sees it. */
function inputView({ input, owner }: Task, { fields }: ViewContext): object {
  return owner === fields.projectId ? input : withoutSecrets(input);
}
