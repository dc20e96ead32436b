import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Image } from '../images/image.entity.js';
import type { Task } from '../tasks/task.entity.js';
import type { RunningImport } from './import.repository.js';

/** What a phase of an import works on: both rows as they are when the phase begins. */
export interface ImportWork {
  readonly ctx: RequestContext;
  /** Aborted once the work is in vain, or has to end. */
  readonly signal: AbortSignal;
  readonly image: Image;
  readonly task: Task;
}

export function runningImportOf({ image, task }: ImportWork): RunningImport {
  return { imageId: image.id, taskId: task.id };
}
