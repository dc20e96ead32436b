import { Controller } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resource/resource.controller.js';
import { SecurityGroup } from './security-group.resource.js';
import { SecurityGroupReconciler } from './security-group.reconciler.js';
import { securityGroupResource } from './security-group.resource.js';
import {
  applyGroupsNaming,
  SecurityGroupsService,
  visibleGroups,
} from './security-groups.service.js';
import { registerKind, sharedKind } from '../rbac-policies/rbac-kind.js';
import { addressGroupUsers } from '../address-groups/address-groups.service.js';
import { securityGroups } from './default-group.js';

@Controller('v2.0/security-groups')
export class SecurityGroupsController extends resourceController(
  securityGroupResource,
  SecurityGroupsService,
) {}

registerKind(
  'security_group',
  sharedKind({
    rows: securityGroups,
    visible: visibleGroups,
    users: `SELECT project_id FROM ports JOIN port_security_groups ON port_id = ports.id
             WHERE security_group_id = $1 AND state <> 'removing'`,
  }),
);

addressGroupUsers.push(applyGroupsNaming);

@Feature({
  controllers: [SecurityGroupsController],
  providers: [SecurityGroupsService, SecurityGroupReconciler],
  entities: [SecurityGroup],
})
export class SecurityGroupsModule {}
