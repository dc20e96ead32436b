import { DomainError } from '@cumulet/common/errors/domain-error';

export class DefaultSecurityGroupRuleNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Default Security Group rule ${String(id)} does not exist`);
  }
}

export class DefaultSecurityGroupRuleExistsError extends DomainError {
  constructor(id: string) {
    super('conflict', `Default Security group rule already exists. Rule id is ${id}.`);
  }
}
