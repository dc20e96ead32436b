import { Controller } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../../resource/resource.controller.js';
import { DefaultSecurityGroupRule } from './default-rule.entity.js';
import { defaultRuleResource } from './default-rule.resource.js';
import { DefaultSecurityGroupRulesService } from './default-rules.service.js';

@Controller('v2.0/default-security-group-rules')
export class DefaultSecurityGroupRulesController extends resourceController(
  defaultRuleResource,
  DefaultSecurityGroupRulesService,
  { writers: 'admin' },
) {}

@Feature({
  controllers: [DefaultSecurityGroupRulesController],
  providers: [DefaultSecurityGroupRulesService],
  entities: [DefaultSecurityGroupRule],
})
export class DefaultSecurityGroupRulesModule {}
