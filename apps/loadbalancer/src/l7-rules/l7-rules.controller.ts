import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resources/resource.controller.js';
import { l7RuleResource } from '../tree/l7-rule.resource.js';
import { L7RulesService } from './l7-rules.service.js';

@ApiTags('L7Rules')
@Controller('v2.0/lbaas/l7policies/:l7policy_id/rules')
export class L7RulesController extends resourceController(l7RuleResource, L7RulesService, {
  title: 'L7 rule',
  id: 'l7rule_id',
}) {}

@Feature({ controllers: [L7RulesController], providers: [L7RulesService] })
export class L7RulesModule {}
