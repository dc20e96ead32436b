import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';
import { NotFoundError } from '../resource/resource.errors.js';
import type { Subject } from '../policy/policy-target.js';
import type { Assignment } from '../role-assignments/assignment-place.js';
import { RoleNotFoundError } from '../roles/role.errors.js';

export class RoleAssignmentNotFoundError extends DomainError {
  constructor({ roleId, actor, target }: Assignment) {
    const where = target.kind === 'system' ? 'system' : target.id;
    super(
      'not-found',
      `Could not find role assignment with role: ${roleId}, user or group: ${actor.id}, project, domain, or system: ${where}.`,
    );
  }
}

/** A role of one domain, on what another one owns. */
export class DomainRoleMismatchError extends ForbiddenError {
  constructor(role: Subject, target: Subject) {
    super(
      `The role ${role.id} is of the domain ${role.domainId ?? ''}, and cannot be granted on the ${target.kind} ${target.id}, which is of another.`,
    );
  }
}

export class DomainRoleOnSystemError extends InvalidInputError {
  constructor(role: Subject) {
    super(
      `Invalid input: the role ${role.id} is of the domain ${role.domainId ?? ''}, and cannot be granted on the system.`,
    );
  }
}

/** The error about a thing of this kind that a path names and that is not there. */
export function notFound(kind: Subject['kind'], id: string): DomainError {
  return kind === 'role' ? new RoleNotFoundError(id) : new NotFoundError(kind, id);
}
