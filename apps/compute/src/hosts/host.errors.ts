/** Refusals about hosts, in Nova's words. Public source: nova, `exception.py`. */
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';

export class ComputeHostNotFoundError extends DomainError {
  constructor(host: string) {
    super('not-found', `Compute host ${host} could not be found.`);
  }
}

export class HostBinaryNotFoundError extends DomainError {
  constructor(host: string, binary: string) {
    super('not-found', `Could not find binary ${binary} on host ${host}.`);
  }
}

export class NoComputeServiceError extends InvalidInputError {
  constructor(binary: string) {
    super(
      `Updating a ${binary} service is not supported. Only nova-compute services can be updated.`,
    );
  }
}

export class ServiceNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Service ${id} could not be found.`);
  }
}

export class ServiceInUseError extends DomainError {
  constructor() {
    super(
      'conflict',
      'Unable to delete compute service that is hosting instances. Migrate or delete the instances first.',
    );
  }
}

export class HypervisorNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Hypervisor with ID '${id}' could not be found.`);
  }
}

export class NoHypervisorMatchesError extends DomainError {
  constructor(pattern: string) {
    super('not-found', `No hypervisor matching '${pattern}' could be found.`);
  }
}

export class NotAUuidError extends InvalidInputError {
  constructor(id: string) {
    super(`Invalid uuid ${id}`);
  }
}

/** @param id of the server that it has */
export class HostAwayError extends DomainError {
  constructor(id: string) {
    super('unavailable', `The host of instance ${id} does not respond.`, {
      retryAfter: 5,
    });
  }
}
