import { DomainError } from '@cumulet/common/errors/domain-error';

export class UserNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find user: ${id}.`);
  }
}
