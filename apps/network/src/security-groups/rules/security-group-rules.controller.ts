import { Controller } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../../resource/resource.controller.js';
import { SecurityGroupRule } from './security-group-rule.resource.js';
import { securityGroupRuleResource } from './security-group-rule.resource.js';
import { SecurityGroupRulesService } from './security-group-rules.service.js';

@Controller('v2.0/security-group-rules')
export class SecurityGroupRulesController extends resourceController(
  securityGroupRuleResource,
  SecurityGroupRulesService,
) {}

@Feature({
  controllers: [SecurityGroupRulesController],
  providers: [SecurityGroupRulesService],
  entities: [SecurityGroupRule],
})
export class SecurityGroupRulesModule {}
