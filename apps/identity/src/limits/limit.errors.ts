import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';

export class LimitNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find limit: ${id}.`);
  }
}

export class DuplicateLimitError extends DomainError {
  constructor(resourceNames: readonly string[]) {
    super(
      'conflict',
      `A project or domain has one limit of a registered limit; there is one of ${resourceNames.join(', ')} already, or it is named twice.`,
    );
  }
}

export class LimitOwnerError extends InvalidInputError {
  constructor(resourceName: string) {
    super(
      `Invalid input: the limit of ${resourceName} must be of a project or of a domain: either project_id or domain_id.`,
    );
  }
}

/** A limit can only be of what has a limit for everybody. */
export class NoRegisteredLimitError extends ForbiddenError {
  constructor(resourceName: string, serviceId: string, regionId: string | null) {
    const where = regionId === null ? 'without a region' : `in the region ${regionId}`;
    super(
      `Cannot create a limit of ${resourceName}: the service ${serviceId} has no registered limit of it ${where}.`,
    );
  }
}
