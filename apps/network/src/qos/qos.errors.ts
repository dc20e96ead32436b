import { DomainError, notFound, conflict, forbidden } from '@cumulet/common/errors/domain-error';

export class QosPolicyNotFoundError extends notFound(
  (id: unknown) => `QoS policy ${String(id)} could not be found.`,
) {}

export class QosRuleNotFoundError extends notFound(
  (ruleId: string, policyId: string) =>
    `QoS rule ${ruleId} for policy ${policyId} could not be found.`,
) {}

export class QosPolicyInUseError extends DomainError {
  constructor(policyId: string, kind = 'port', userId = '') {
    super('conflict', `QoS Policy ${policyId} is used by ${kind} ${userId}.`);
  }
}

export class QoSPolicyDefaultAlreadyExistsError extends conflict(
  (projectId: string) => `A default QoS policy exists for project ${projectId}.`,
) {}

export class QoSRulesConflictError extends conflict(
  (type: string, ruleId: string, policyId: string) =>
    `Rule ${type} conflicts with rule ${ruleId} which already exists in QoS Policy ${policyId}.`,
) {}

export class QoSRuleParameterConflictError extends conflict(
  (value: unknown, policyId: string, existing: string, existingValue: unknown) =>
    `Unable to add the rule with value ${String(value)} to the policy ${policyId} as the existing rule of type ${existing} has value ${String(existingValue)}.`,
) {}

/** The data plane does not support the rule. */
export class QosRuleNotSupportedError extends conflict(
  (type: string, kind: string, id: string) => `Rule ${type} is not supported by ${kind} ${id}`,
) {}

export class QosRuleNotSupportedByNetworkError extends conflict(
  (type: string, networkId: string) => `Rule ${type} is not supported by network ${networkId}`,
) {}

/** Only an administrator may remove a policy that an administrator has set. */
export class PolicyRemoveAuthorizationError extends forbidden(
  (policyId: string) =>
    `Failed to remove provided policy ${policyId} because you are not authorized.`,
) {}

export class HTTPNotFoundError extends notFound(
  (type: string) => `QoS rule type ${type} could not be found.`,
) {}
