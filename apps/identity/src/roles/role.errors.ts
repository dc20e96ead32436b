import { DomainError } from '@cumulet/common/errors/domain-error';
import { DuplicateNameError } from '../resource/resource.errors.js';

export class RoleNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find role: ${id}.`);
  }
}

export class DuplicateRoleError extends DuplicateNameError {
  constructor(name: string, domainId: string | null) {
    super('role', name, domainId === null ? '' : `in the domain ${domainId}`);
  }
}

export class RoleInUseError extends DomainError {
  constructor(id: string, assignments: number) {
    super(
      'conflict',
      `Cannot delete the role ${id}: it has ${assignments} role assignment${assignments === 1 ? '' : 's'}. Remove them first.`,
    );
  }
}
