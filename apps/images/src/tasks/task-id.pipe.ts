import { asId, isUuid } from '@cumulet/common/context/ids';
import { Injectable, type PipeTransform } from '@nestjs/common';
import type { TaskId } from './task.entity.js';
import { TaskNotFoundError } from './task.errors.js';

/** The id in a path. What is no UUID is the id of no task. */
@Injectable()
export class TaskIdPipe implements PipeTransform<string, TaskId> {
  /** @throws TaskNotFoundError */
  transform(value: string): TaskId {
    if (!isUuid(value)) throw new TaskNotFoundError(value);
    return asId(value);
  }
}
