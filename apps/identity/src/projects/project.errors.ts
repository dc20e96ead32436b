import { DomainError } from '@cumulet/common/errors/domain-error';

export class ProjectNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find project: ${id}.`);
  }
}
