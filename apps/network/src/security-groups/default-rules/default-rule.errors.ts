import { notFound, conflict } from '@cumulet/common/errors/domain-error';

export class DefaultSecurityGroupRuleNotFoundError extends notFound(
  (id: unknown) => `Default Security Group rule ${String(id)} does not exist`,
) {}

export class DefaultSecurityGroupRuleExistsError extends conflict(
  (id: string) => `Default Security group rule already exists. Rule id is ${id}.`,
) {}
