import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resource/resource.controller.js';
import { PortSecurityGroup, SecurityGroup } from './security-group.entity.js';
import { SecurityGroupReconciler } from './security-group.reconciler.js';
import { securityGroupResource } from './security-group.resource.js';
import { SecurityGroupsService } from './security-groups.service.js';

@ApiTags('security groups')
@Controller('v2.0/security-groups')
export class SecurityGroupsController extends resourceController(
  securityGroupResource,
  SecurityGroupsService,
) {}

@Feature({
  controllers: [SecurityGroupsController],
  providers: [SecurityGroupsService, SecurityGroupReconciler],
  entities: [SecurityGroup, PortSecurityGroup],
})
export class SecurityGroupsModule {}
