import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';

export class RegisteredLimitNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find registered limit: ${id}.`);
  }
}

export class DuplicateRegisteredLimitError extends DomainError {
  constructor(resourceNames: readonly string[]) {
    super(
      'conflict',
      `A service has one registered limit of a resource in a region, and one in all regions; there is one of ${resourceNames.join(', ')} already, or it is named twice.`,
    );
  }
}

/** A limit of a service, a region, a project or a domain that is not there. */
export class UnknownLimitReferenceError extends InvalidInputError {
  /** @param ids those that were given: one of them is unknown */
  constructor(property: 'service_id' | 'region_id' | 'project_id' | 'domain_id', ids: Given) {
    const given = [...new Set(ids.filter((id) => id !== null))];
    super(`Invalid input: ${property} must name what exists: ${given.join(', ')}.`);
  }
}

type Given = readonly (string | null)[];

export class RegisteredLimitInUseError extends ForbiddenError {
  constructor(id: string) {
    super(
      `Cannot delete the registered limit ${id}, nor change its service_id, region_id or resource_name: there are limits of it.`,
    );
  }
}
