import { DomainError } from '@cumulet/common/errors/domain-error';

/** The infrastructure could not be made, for these reasons. */
export class InfrastructureFailedError extends DomainError {
  constructor(reason: string) {
    super('unprocessable', reason);
  }
}

/** It is gone, though nobody has asked for that here. */
export class InfrastructureGoneError extends DomainError {
  constructor() {
    super('gone', 'The stack of the cluster is gone: the cluster can only be deleted.');
  }
}

/** A node has said that it failed. */
export class NodeFailedError extends DomainError {
  constructor(reason: string) {
    super('unprocessable', reason);
  }
}

export class ClusterTimedOutError extends DomainError {
  constructor(action: string, minutes: number, missing: string) {
    super('gone', `${action} timed out after ${minutes} minutes: ${missing}`);
  }
}
