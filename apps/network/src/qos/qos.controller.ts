import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resource/resource.controller.js';
import { QosPoliciesService } from './qos-policies.service.js';
import { QosPolicy, QosRule } from './qos-policy.entity.js';
import { QosPolicyReconciler } from './qos-policy.reconciler.js';
import { qosPolicyResource } from './qos-policy.resource.js';
import { QOS_RULE_CONTROLLERS } from './qos-rules.controller.js';
import { QosRulesService } from './qos-rules.service.js';
import { RuleTypesController } from './rule-types.controller.js';
import { registerKind, sharedKind } from '../rbac-policies/rbac-kind.js';
import { ownOrShared } from '../rbac-policies/sharing.js';
import { POLICY_USERS, qosPolicies } from './qos-tables.js';

@ApiTags('QoS policies')
@Controller('v2.0/qos/policies')
export class QosPoliciesController extends resourceController(
  qosPolicyResource,
  QosPoliciesService,
  { writers: 'admin' },
) {}

registerKind(
  'qos_policy',
  sharedKind({
    rows: qosPolicies,
    visible: ownOrShared,
    users: POLICY_USERS,
    shownIn: 'qos_policies',
  }),
);

@Feature({
  controllers: [QosPoliciesController, RuleTypesController, ...QOS_RULE_CONTROLLERS],
  providers: [QosPoliciesService, QosPolicyReconciler, QosRulesService],
  entities: [QosPolicy, QosRule],
})
export class QosModule {}
