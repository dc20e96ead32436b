import { DomainError } from '@cumulet/common/errors/domain-error';

export class SecurityGroupNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Security group ${String(id)} does not exist`);
  }
}

export class SecurityGroupInUseError extends DomainError {
  constructor(id: string) {
    super('conflict', `Security Group ${id} in use.`);
  }
}

export class SecurityGroupCannotRemoveDefaultError extends DomainError {
  constructor() {
    super('conflict', 'Insufficient rights for removing default security group.');
  }
}

export class SecurityGroupCannotUpdateDefaultError extends DomainError {
  constructor() {
    super('conflict', 'Updating default security group not allowed.');
  }
}

export class SecurityGroupDefaultAlreadyExistsError extends DomainError {
  constructor() {
    super('conflict', 'Default security group already exists.');
  }
}

export class SecurityGroupConflictError extends DomainError {
  constructor(reason: string) {
    super('conflict', `Error ${reason} while attempting the operation.`);
  }
}

export class SecurityGroupRuleNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Security group rule ${String(id)} does not exist`);
  }
}

export class SecurityGroupRuleExistsError extends DomainError {
  constructor(id: string) {
    super('conflict', `Security group rule already exists. Rule id is ${id}.`);
  }
}

export class PortSecurityPortHasSecurityGroupError extends DomainError {
  constructor() {
    super(
      'conflict',
      'Port has security group associated. Cannot disable port security or IP address until security group is removed.',
    );
  }
}
