import { DomainError } from '@cumulet/common/errors/domain-error';

export class StoreUnknownError extends DomainError {
  constructor(store: string) {
    super('conflict', `There is no store '${store}'.`);
  }
}
