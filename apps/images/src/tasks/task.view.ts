/** A task as clients read it. Public source: Image API reference, "Tasks" and "Show tasks". */
import type { ProjectId } from '@cumulet/common/context/ids';
import { firstPageUrl, nextPageUrl } from '@cumulet/common/http/paging';
import { timestamp } from '../images/timestamp.js';
import { withoutSecrets } from '../imports/import-request.js';
import type { Task, TaskId } from './task.entity.js';

export type TaskView = Readonly<Record<string, unknown>>;

export const TASKS_PATH = '/v2/tasks';

export interface TaskPage {
  readonly tasks: readonly Task[];
  /** The task after which the next page starts; absent on the last. */
  readonly nextMarker?: TaskId | undefined;
}

/** @param reader the project that the task is shown to */
export function taskView(task: Task, reader: ProjectId): TaskView {
  return {
    ...taskSummary(task),
    input: inputView(task, reader),
    result: task.result,
    message: task.message,
    request_id: task.requestId,
    user_id: task.userId,
    ...(task.imageId === null ? {} : { image_id: task.imageId }),
  };
}

/** @param requestUrl path and query of the list request, which the links repeat */
export function taskListView({ tasks, nextMarker }: TaskPage, requestUrl: string): TaskView {
  return {
    tasks: tasks.map(taskSummary),
    first: firstPageUrl(requestUrl),
    schema: '/v2/schemas/tasks',
    ...(nextMarker === undefined ? {} : { next: nextPageUrl(requestUrl, nextMarker) }),
  };
}

/**
 * Here Glance shows tasks as it keeps them: all of each, with other times than elsewhere.
 * @param reader the project that they are shown to
 */
export function imageTasksView(tasks: readonly Task[], reader: ProjectId): TaskView {
  return {
    tasks: tasks.map((task) => ({
      id: task.id,
      image_id: task.imageId,
      request_id: task.requestId,
      user_id: task.userId,
      type: task.type,
      status: task.status,
      owner: task.owner,
      input: inputView(task, reader),
      result: task.result,
      message: task.message,
      created_at: storedTime(task.createdAt),
      updated_at: storedTime(task.updatedAt),
      expires_at: task.expiresAt && storedTime(task.expiresAt),
      deleted_at: null,
      deleted: false,
    })),
  };
}

/** An address may be what gives access to its data, and is for the project that asked alone. */
function inputView({ input, owner }: Task, reader: ProjectId): Task['input'] {
  return owner === reader ? input : withoutSecrets(input);
}

function taskSummary(task: Task): TaskView {
  return {
    id: task.id,
    type: task.type,
    status: task.status,
    owner: task.owner,
    created_at: timestamp(task.createdAt),
    updated_at: timestamp(task.updatedAt),
    ...(task.expiresAt === null ? {} : { expires_at: timestamp(task.expiresAt) }),
    self: `${TASKS_PATH}/${task.id}`,
    schema: '/v2/schemas/task',
  };
}

/** `2026-01-31T12:00:00.000000` */
function storedTime(date: Date): string {
  return date.toISOString().replace('Z', '000');
}
