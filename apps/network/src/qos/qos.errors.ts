import { DomainError } from '@cumulet/common/errors/domain-error';

export class QosPolicyNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `QoS policy ${String(id)} could not be found.`);
  }
}

export class QosRuleNotFoundError extends DomainError {
  constructor(ruleId: string, policyId: string) {
    super('not-found', `QoS rule ${ruleId} for policy ${policyId} could not be found.`);
  }
}

export class QosPolicyInUseError extends DomainError {
  constructor(policyId: string, kind = 'port', userId = '') {
    super('conflict', `QoS Policy ${policyId} is used by ${kind} ${userId}.`);
  }
}

export class QoSPolicyDefaultAlreadyExistsError extends DomainError {
  constructor(projectId: string) {
    super('conflict', `A default QoS policy exists for project ${projectId}.`);
  }
}

export class QoSRulesConflictError extends DomainError {
  constructor(type: string, ruleId: string, policyId: string) {
    super(
      'conflict',
      `Rule ${type} conflicts with rule ${ruleId} which already exists in QoS Policy ${policyId}.`,
    );
  }
}

export class QoSRuleParameterConflictError extends DomainError {
  constructor(value: unknown, policyId: string, existing: string, existingValue: unknown) {
    super(
      'conflict',
      `Unable to add the rule with value ${String(value)} to the policy ${policyId} as the existing rule of type ${existing} has value ${String(existingValue)}.`,
    );
  }
}

/** The data plane does not support the rule. */
export class QosRuleNotSupportedError extends DomainError {
  constructor(type: string, kind: string, id: string) {
    super('conflict', `Rule ${type} is not supported by ${kind} ${id}`);
  }
}

export class QosRuleNotSupportedByNetworkError extends DomainError {
  constructor(type: string, networkId: string) {
    super('conflict', `Rule ${type} is not supported by network ${networkId}`);
  }
}

/** Only an administrator may remove a policy that an administrator has set. */
export class PolicyRemoveAuthorizationError extends DomainError {
  constructor(policyId: string) {
    super(
      'forbidden',
      `Failed to remove provided policy ${policyId} because you are not authorized.`,
    );
  }
}

export class HTTPNotFoundError extends DomainError {
  constructor(type: string) {
    super('not-found', `QoS rule type ${type} could not be found.`);
  }
}
