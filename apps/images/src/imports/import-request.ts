/** What an import was asked to do, as its task keeps it. */
import type { Task } from '../tasks/task.entity.js';
import type { ImportDto } from './import.dto.js';

/** A task's input, under Glance's names. */
export interface ImportInput {
  readonly image_id: string;
  readonly import_req: ImportDto;
  readonly backend: readonly string[];
}

/** Where the data is to be downloaded from; undefined where it is staged already. */
export function uriOf({ input }: Task): string | undefined {
  const { method } = (input as unknown as ImportInput).import_req;
  return method.name === 'web-download' ? method.uri : undefined;
}

/** A task's input, for whoever has not asked for it: path and query of an address may be secret. */
export function withoutSecrets(input: Task['input']): Task['input'] {
  const copy = structuredClone(input);
  const { method } = (copy as unknown as ImportInput).import_req;
  if (method.uri !== undefined && URL.canParse(method.uri)) {
    method.uri = `${new URL(method.uri).origin}/…`;
  }
  return copy;
}
