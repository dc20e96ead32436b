/** Refusals about aggregates, in Nova's words. Public source: nova, `exception.py`. */
import {
  DomainError,
  type ErrorKind,
  notFound,
  conflict,
} from '@cumulet/common/errors/domain-error';

export class AggregateNotFoundError extends notFound(
  (id: number | string) => `Aggregate ${id} could not be found.`,
) {}

export class AggregateNameExistsError extends conflict(
  (name: string) => `Aggregate ${name} already exists.`,
) {}

export class AggregateHostExistsError extends conflict(
  (id: number, host: string) => `Aggregate ${id} already has host ${host}.`,
) {}

export class AggregateHostNotFoundError extends notFound(
  (id: number, host: string) => `Cannot remove host ${host} in aggregate ${id}`,
) {}

/** The verb in error messages. */
export type AggregateAction = 'add' | 'remove' | 'update' | 'update-metadata' | 'delete';

const ACTIONS: Readonly<Record<AggregateAction, { words: string; kind: ErrorKind }>> = {
  add: { words: 'add host to', kind: 'conflict' },
  remove: { words: 'remove host from', kind: 'conflict' },
  update: { words: 'update', kind: 'invalid' },
  'update-metadata': { words: 'update metadata of', kind: 'invalid' },
  delete: { words: 'remove host from', kind: 'invalid' },
};

export class InvalidAggregateActionError extends DomainError {
  constructor(action: AggregateAction, id: number, reason: string) {
    const { words, kind } = ACTIONS[action];
    super(kind, `Cannot ${words} aggregate ${id}. Reason: ${reason}.`);
  }
}
