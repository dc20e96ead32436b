import { DomainError } from '@cumulet/common/errors/domain-error';

/** The cloud lacks a default pool or external network, which the operator has to configure. */
export class AutoAllocationFailureError extends DomainError {
  constructor(reason: string) {
    super('conflict', `Deployment error: ${reason}.`);
  }
}

/** The topology is another project's; Neutron answers 404 here rather than 403. */
export class HTTPNotFoundError extends DomainError {
  constructor() {
    super('not-found', 'The resource could not be found.');
  }
}
