import { notFound, conflict } from '@cumulet/common/errors/domain-error';

export class SecurityGroupNotFoundError extends notFound(
  (id: unknown) => `Security group ${String(id)} does not exist`,
) {}

export class SecurityGroupInUseError extends conflict(
  (id: string) => `Security Group ${id} in use.`,
) {}

export class SecurityGroupCannotRemoveDefaultError extends conflict(
  'Insufficient rights for removing default security group.',
) {}

export class SecurityGroupCannotUpdateDefaultError extends conflict(
  'Updating default security group not allowed.',
) {}

export class SecurityGroupDefaultAlreadyExistsError extends conflict(
  'Default security group already exists.',
) {}

export class SecurityGroupConflictError extends conflict(
  (reason: string) => `Error ${reason} while attempting the operation.`,
) {}

export class SecurityGroupRuleNotFoundError extends notFound(
  (id: unknown) => `Security group rule ${String(id)} does not exist`,
) {}

export class SecurityGroupRuleExistsError extends conflict(
  (id: string) => `Security group rule already exists. Rule id is ${id}.`,
) {}

export class PortSecurityPortHasSecurityGroupError extends conflict(
  'Port has security group associated. Cannot disable port security or IP address until security group is removed.',
) {}
