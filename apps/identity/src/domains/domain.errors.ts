import { DomainError } from '@cumulet/common/errors/domain-error';

export class DomainNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find domain: ${id}.`);
  }
}
