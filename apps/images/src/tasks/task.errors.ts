import { DomainError } from '@cumulet/common/errors/domain-error';

export class TaskNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `No task found with ID ${id}.`);
  }
}
