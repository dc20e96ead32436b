import { DomainError } from '@cumulet/common/errors/domain-error';

export class PortBindingNotFoundError extends DomainError {
  constructor(portId: string, host: string) {
    super('not-found', `Binding for port ${portId} for host ${host} could not be found.`);
  }
}

export class PortBindingAlreadyActiveError extends DomainError {
  constructor(portId: string, host: string) {
    super('conflict', `Binding for port ${portId} on host ${host} is already active.`);
  }
}

export class PortBindingAlreadyExistsError extends DomainError {
  constructor(portId: string, host: string) {
    super('conflict', `Binding for port ${portId} on host ${host} already exists.`);
  }
}
