import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import { PartService, type Ancestors } from '../parts/part.service.js';
import { OctaviaTable } from '../resources/octavia-table.js';
import type { Path } from '../resources/resource.controller.js';
import { l7Policies } from '../tree/l7-policy.entity.js';
import { L7Rule } from '../tree/l7-rule.resource.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import {
  l7RuleResource,
  type L7RuleAttributes,
  type L7RuleChange,
  type NewL7Rule,
} from '../tree/l7-rule.resource.js';
import { TooManyL7RulesOnL7PolicyError, requireRule } from './rule-checks.js';

/** A condition of a proxy has so many words at most. */
export const MAX_RULES = 50;

const l7Rules = new OctaviaTable(L7Rule, 'L7Rule');

@Injectable()
export class L7RulesService extends PartService<L7Rule, L7RuleAttributes> {
  protected readonly resource = l7RuleResource;
  protected readonly table = l7Rules;
  protected readonly kind = 'l7_rules';
  protected readonly quota = 'l7rule';

  async insertSubtree(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    body: NewL7Rule,
    { l7policy_id: policyId = '' }: Path,
  ): Promise<L7Rule> {
    const { ruleIds } = await l7Policies.named(tx, policyId);
    if (ruleIds.length >= MAX_RULES) throw new TooManyL7RulesOnL7PolicyError(policyId);
    const [row] = await this.insertSubtrees(tx, loadBalancer, [body], policyId);
    return row as L7Rule;
  }

  /** All of a new policy's. @throws L7RuleValidationError */
  insertSubtrees(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    bodies: readonly NewL7Rule[],
    l7PolicyId: string,
  ): Promise<L7Rule[]> {
    if (bodies.length > MAX_RULES) throw new TooManyL7RulesOnL7PolicyError(l7PolicyId);
    const rows = bodies.map((body) => ({
      adminStateUp: body.adminStateUp,
      tags: body.tags,
      type: body.type,
      compareType: body.compareType,
      key: body.key ?? null,
      value: body.value,
      invert: body.invert,
    }));
    for (const row of rows) requireRule(row);
    return this.table.insertAll(
      tx,
      rows.map((row) => ({ ...row, ...this.partOf(loadBalancer), id: randomUUID(), l7PolicyId })),
    );
  }

  protected override change(
    _tx: RequestContext,
    row: L7Rule,
    body: L7RuleChange,
  ): Promise<Partial<L7Rule>> {
    const columns = this.columnsOf(body);
    const { type, compareType, key, value } = row;
    requireRule({ type, compareType, key, value, ...columns });
    return Promise.resolve(columns);
  }

  protected async homeOf(ctx: RequestContext, _: NewL7Rule, path: Path): Promise<string> {
    return (await l7Policies.named(ctx, path['l7policy_id'])).loadBalancerId;
  }

  protected override async within(ctx: RequestContext, path: Path): Promise<Condition[]> {
    return [equals('l7PolicyId', (await l7Policies.named(ctx, path['l7policy_id'])).id)];
  }

  protected override async ancestors(
    tx: RequestContext,
    { l7PolicyId }: L7Rule,
  ): Promise<Ancestors> {
    const { listenerId } = await l7Policies.named(tx, l7PolicyId);
    return [
      ['l7_policies', [l7PolicyId]],
      ['listeners', [listenerId]],
    ];
  }
}
