import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resources/resource.controller.js';
import { l7PolicyResource } from './l7-policy.resource.js';
import { L7PoliciesService } from './l7-policies.service.js';

@ApiTags('L7Policies')
@Controller('v2.0/lbaas/l7policies')
export class L7PoliciesController extends resourceController(l7PolicyResource, L7PoliciesService, {
  title: 'L7 policy',
  titles: 'L7 policies',
  errors: [501],
}) {}

@Feature({ controllers: [L7PoliciesController], providers: [L7PoliciesService] })
export class L7PoliciesModule {}
