import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { initialState } from '@cumulet/common/states/transition';
import type { Condition } from '@cumulet/common/tables/condition';
import { EVERYONE } from '../rbac-policies/rbac-policy.resource.js';
import { refuseIfUsedByOthers } from '../rbac-policies/rbac-policy.errors.js';
import {
  unshareFromAll,
  shareWithAll,
  removePolicies,
  ownOrShared,
} from '../rbac-policies/sharing.js';
import { ResourceService } from '../resource/resource.service.js';
import type { QosPolicy } from './qos-policy.entity.js';
import { qosPolicyResource } from './qos-policy.resource.js';
import type { NewQosPolicy, QosPolicyAttributes, QosPolicyChange } from './qos-policy.resource.js';
import { qosPolicyStates } from './qos-policy.states.js';
import { anyUser, POLICY_USERS, qosPolicies } from './qos-tables.js';
import { QosPolicyInUseError } from './qos.errors.js';

@Injectable()
export class QosPoliciesService extends ResourceService<QosPolicy, QosPolicyAttributes> {
  protected readonly resource = qosPolicyResource;
  protected readonly table = qosPolicies;

  protected override visible(ctx: RequestContext): Condition[] {
    return ownOrShared(ctx);
  }

  protected override async make(tx: RequestContext, body: NewQosPolicy): Promise<QosPolicy> {
    const policy = await qosPolicies.insert(tx, {
      ...this.newRow(tx, body),
      ...initialState(qosPolicyStates),
    });
    if (policy.shared) await shareWithAll(tx, 'qos_policy', policy);
    return policy;
  }

  protected override async change(
    tx: RequestContext,
    policy: QosPolicy,
    body: QosPolicyChange,
  ): Promise<QosPolicy> {
    if (body.shared === true) await shareWithAll(tx, 'qos_policy', policy);
    if (policy.shared && body.shared === false) {
      await unshareFromAll(tx, policy.id);
      await refuseIfUsedByOthers(tx, policy, POLICY_USERS, EVERYONE);
    }
    return this.save(tx, policy, this.columnsOf(body));
  }

  protected override async erase(tx: RequestContext, { id }: QosPolicy): Promise<void> {
    const user = await anyUser(tx, id);
    if (user) throw new QosPolicyInUseError(id, user.kind, user.id);
    // Rows that the data plane is still removing no longer need the policy.
    for (const table of ['ports', 'networks', 'routers']) {
      await preparedRows(
        tx.manager,
        `UPDATE ${table} SET qos_policy_id = NULL WHERE qos_policy_id = $1 AND state = 'removing'`,
        [id],
      );
    }
    await qosPolicies.delete(tx, id);
    await removePolicies(tx, id);
  }
}
