import { DomainError } from '@cumulet/common/errors/domain-error';

export class RoleNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find role: ${id}.`);
  }
}
