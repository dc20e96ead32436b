import { DomainError } from '@cumulet/common/errors/domain-error';

export class FlavorNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Flavor ${id} could not be found.`);
  }
}
