import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';

export class AccessRuleNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find access rule: ${id}.`);
  }
}

export class AccessRuleInUseError extends ForbiddenError {
  constructor(id: string) {
    super(`Cannot delete the access rule ${id}: application credentials use it.`);
  }
}

export class IncompleteAccessRuleError extends InvalidInputError {
  constructor() {
    super(
      'Invalid input: each of access_rules must have either the id of one, or service, method and path.',
    );
  }
}
