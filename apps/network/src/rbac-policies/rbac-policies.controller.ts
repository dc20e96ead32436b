import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resource/resource.controller.js';
import { RbacPoliciesService } from './rbac-policies.service.js';
import { RbacPolicy, rbacPolicyResource } from './rbac-policy.resource.js';

@ApiTags('RBAC policies')
@Controller('v2.0/rbac-policies')
export class RbacPoliciesController extends resourceController(
  rbacPolicyResource,
  RbacPoliciesService,
) {}

@Feature({
  controllers: [RbacPoliciesController],
  providers: [RbacPoliciesService],
  entities: [RbacPolicy],
})
export class RbacPoliciesModule {}
