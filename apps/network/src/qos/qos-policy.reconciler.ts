import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { phase } from '@cumulet/common/reconcile/reconciler';
import type { Plan, Reconciler, Scope } from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import type { QosPolicy } from './qos-policy.entity.js';
import { qosPolicyStates, type QosPolicyEvent, type QosPolicyState } from './qos-policy.states.js';
import { policyBearers, qosPolicies } from './qos-tables.js';

/** Has each port and router with the policy applied to the data plane again. */
@Reconciles()
@Injectable()
export class QosPolicyReconciler implements Reconciler<QosPolicy, QosPolicyState, QosPolicyEvent> {
  readonly states = qosPolicyStates;
  readonly plans: Partial<Record<QosPolicyState, Plan<QosPolicy, QosPolicyEvent>>> = {
    applying: { phases: [phase('reapplyUsers', (scope) => this.reapply(scope))], then: 'applied' },
  };

  taskOf(): string {
    return 'qos_policy';
  }

  load(ctx: RequestContext, id: string): Promise<QosPolicy | undefined> {
    return qosPolicies.find(ctx, id);
  }

  private async reapply({ ctx, row }: Scope<QosPolicy>): Promise<void> {
    for (const reapply of policyBearers) await reapply(ctx, row.id);
  }
}
