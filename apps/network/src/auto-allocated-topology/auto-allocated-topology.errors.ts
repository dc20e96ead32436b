import { DomainError } from '@cumulet/common/errors/domain-error';

/** The cloud lacks what a topology is made of, which is the operator's to mend. */
export class AutoAllocationFailureError extends DomainError {
  constructor(reason: string) {
    super('conflict', `Deployment error: ${reason}.`);
  }
}

/** Of another project's, as Neutron answers where its policy refuses. */
export class HTTPNotFoundError extends DomainError {
  constructor() {
    super('not-found', 'The resource could not be found.');
  }
}
