import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { transition } from '@cumulet/common/states/transition';
import { equals } from '@cumulet/common/tables/condition';
import { ownOrShared } from '../rbac-policies/sharing.js';
import { notSupported } from './qos-binding.js';
import type { QosPolicy, QosRule } from './qos-policy.entity.js';
import { qosPolicyStates } from './qos-policy.states.js';
import { anyUser, qosPolicies, qosRules } from './qos-tables.js';
import * as errors from './qos.errors.js';
import { RULE_TYPES, type QosDirection, type QosRuleType } from './rule-types.js';

export interface RuleBody {
  readonly direction?: QosDirection;
  readonly [setting: string]: unknown;
}

@Injectable()
export class QosRulesService {
  /** @throws QosPolicyNotFoundError for a policy that the caller does not see */
  async list(ctx: RequestContext, policyId: string, type: QosRuleType): Promise<QosRule[]> {
    const policy = await this.#policy(ctx, policyId);
    const conditions = [equals('policyId', policy.id), equals('type', type)];
    return qosRules.select(ctx, conditions, 'ORDER BY created_at, id');
  }

  /** @throws QosRuleNotFoundError */
  async get(
    ctx: RequestContext,
    policyId: string,
    type: QosRuleType,
    id: string,
  ): Promise<QosRule> {
    const rule = (await this.list(ctx, policyId, type)).find((one) => one.id === id.toLowerCase());
    if (!rule) throw new errors.QosRuleNotFoundError(id, policyId);
    return rule;
  }

  /** @returns the policy of a rule in a path without the policy */
  async policyOf(ctx: RequestContext, type: QosRuleType, id: string): Promise<string> {
    const conditions = [equals('id', id), equals('type', type)];
    const [rule] = isUuid(id) ? await qosRules.select(ctx, conditions) : [];
    if (!rule) throw new errors.QosRuleNotFoundError(id, '');
    return rule.policyId;
  }

  create(
    ctx: RequestContext,
    policyId: string,
    type: QosRuleType,
    body: RuleBody,
  ): Promise<QosRule> {
    return this.#change(ctx, policyId, async (tx, policy) => {
      const { direction = null, ...settings } = body;
      const rule = {
        id: randomUUID(),
        policyId: policy.id,
        type,
        direction,
        settings: settings as Record<string, number>,
        createdAt: new Date(),
      };
      await check(tx, rule);
      return qosRules.insert(tx, rule);
    });
  }

  update(
    ctx: RequestContext,
    policyId: string,
    type: QosRuleType,
    id: string,
    body: RuleBody,
  ): Promise<QosRule> {
    return this.#change(ctx, policyId, async (tx) => {
      const rule = await this.get(tx, policyId, type, id);
      const { direction = rule.direction, ...settings } = body;
      const next: QosRule = Object.assign({}, rule, {
        direction,
        settings: { ...rule.settings, ...settings } as Record<string, number>,
      });
      await check(tx, next);
      return qosRules.update(tx, rule.id, { direction, settings: next.settings });
    });
  }

  remove(ctx: RequestContext, policyId: string, type: QosRuleType, id: string): Promise<void> {
    return this.#change(ctx, policyId, async (tx) => {
      const rule = await this.get(tx, policyId, type, id);
      await qosRules.delete(tx, rule.id);
    });
  }

  /** Locks the policy, so that changes are serialised; ports are updated after the commit. */
  #change<T>(
    ctx: RequestContext,
    policyId: string,
    work: (tx: RequestContext, policy: QosPolicy) => Promise<T>,
  ): Promise<T> {
    return inTransaction(ctx, async (tx) => {
      const { id } = await this.#policy(tx, policyId);
      const [policy] = await qosPolicies.select(tx, [equals('id', id)], 'FOR NO KEY UPDATE');
      if (!policy) throw new errors.QosPolicyNotFoundError(policyId);
      const result = await work(tx, policy);
      await qosPolicies.update(tx, id, { revisionNumber: policy.revisionNumber + 1 });
      await transition(tx, qosPolicyStates, id, 'change');
      await nudge(tx, { task: 'qos_policy', resource: 'qos_policy', id });
      return result;
    });
  }

  #policy(ctx: RequestContext, id: string): Promise<QosPolicy> {
    if (!isUuid(id)) throw new errors.QosPolicyNotFoundError(id);
    return qosPolicies.get(ctx, id, ownOrShared(ctx));
  }
}

async function check(tx: RequestContext, rule: QosRule): Promise<void> {
  checkConflicts(rule, await qosRules.select(tx, [equals('policyId', rule.policyId)]));
  if (RULE_TYPES[rule.type].isCarried) return;
  const user = await anyUser(tx, rule.policyId);
  if (user) throw notSupported(rule.type, user);
}

/**
 * Refuses rules that contradict each other. Public source: neutron,
 * `objects/qos/qos_policy_validator.py`.
 * @param rule as it is to be
 * @param others of the same policy
 * @throws QoSRulesConflictError for a second one of its type and direction
 * @throws QoSRuleParameterConflictError for a maximum below the minimum
 */
function checkConflicts(rule: QosRule, others: readonly QosRule[]): void {
  for (const other of others) {
    if (other.id === rule.id) continue;
    if (other.type === rule.type) checkDuplicate(rule, other);
    if (other.direction !== rule.direction) continue;
    refuseLess(rule, other, 'bandwidth_limit', 'minimum_bandwidth');
    refuseLess(rule, other, 'minimum_bandwidth', 'bandwidth_limit');
  }
}

function checkDuplicate(rule: QosRule, other: QosRule): void {
  if (other.direction === rule.direction)
    throw new errors.QoSRulesConflictError(rule.type, other.id, rule.policyId);
  // Packets of both directions together are not compared with those of one.
  if (other.direction === 'any' || rule.direction === 'any')
    throw conflict(rule, rule.direction, other, other.direction);
}

const LIMITS = { bandwidth_limit: 'max_kbps', minimum_bandwidth: 'min_kbps' } as const;
type Limited = keyof typeof LIMITS;

function refuseLess(rule: QosRule, other: QosRule, type: Limited, otherType: Limited): void {
  if (rule.type !== type || other.type !== otherType) return;
  const [value, otherValue] = [rule.settings[LIMITS[type]], other.settings[LIMITS[otherType]]];
  const [most = 0, least = 0] =
    type === 'bandwidth_limit' ? [value, otherValue] : [otherValue, value];
  if (least > most) throw conflict(rule, value, other, otherValue);
}

function conflict(
  rule: QosRule,
  value: unknown,
  other: QosRule,
  otherValue: unknown,
): errors.QoSRuleParameterConflictError {
  return new errors.QoSRuleParameterConflictError(value, rule.policyId, other.type, otherValue);
}
