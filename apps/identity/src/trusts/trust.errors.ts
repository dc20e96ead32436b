import { DomainError, ForbiddenError } from '@cumulet/common/errors/domain-error';

/** Also of one that has expired, or that has no uses left. */
export class TrustNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find trust: ${id}.`);
  }
}

/** A trust gives no role that its trustor has not on the project. */
export class TrustRoleNotFoundError extends DomainError {
  constructor(role: string, projectId: string) {
    super(
      'not-found',
      `Could not find role: ${role}. The trustor has no such role on the project ${projectId}.`,
    );
  }
}

/** A project and the roles on it come together. */
export class RolesRequiredError extends ForbiddenError {
  constructor(projectId: string) {
    super(`A trust for the project ${projectId} must give at least one role on it.`);
  }
}

export class RolesWithoutProjectError extends DomainError {
  constructor() {
    super('not-found', 'A trust gives roles on a project only, and project_id names none.');
  }
}

/** A caller that acts by delegation itself passes on no more than that. */
export class RedelegationError extends ForbiddenError {
  constructor(reason: string) {
    super(`The trust cannot be made: ${reason}.`);
  }
}
