/** What can go wrong with RBAC policies, by Neutron's classes. */
import { DomainError } from '@cumulet/common/errors/domain-error';
import { ACTIONS } from './rbac-policy.entity.js';

export class RbacPolicyNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `RBAC policy of type unknown with ID ${String(id)} not found`);
  }
}

export class RbacPolicyInUseError extends DomainError {
  constructor(objectId: string, details: string) {
    super(
      'conflict',
      `RBAC policy on object ${objectId} cannot be removed because other objects depend on it.\nDetails: ${details}`,
    );
  }
}

export class DuplicateRbacPolicyError extends DomainError {
  constructor() {
    super('conflict', 'An RBAC policy already exists with those values.');
  }
}

export class InvalidActionForTypeError extends DomainError {
  constructor(action: string, type: string) {
    const valid = ACTIONS.map((one) => `'${one}'`).join(', ');
    super(
      'invalid',
      `Invalid action '${action}' for object type '${type}'. Valid actions: (${valid})`,
    );
  }
}
