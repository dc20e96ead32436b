import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { crudController } from '../resource/crud.controller.js';
import { CreatePolicyDto, ListPoliciesQuery, PolicyView } from './policy.dto.js';
import { Policy } from './policy.entity.js';
import { PoliciesService } from './policies.service.js';

@ApiTags('policies')
@Controller('v3/policies')
export class PoliciesController extends crudController({
  kind: 'policy',
  plural: 'policies',
  service: PoliciesService,
  query: ListPoliciesQuery,
  create: CreatePolicyDto,
  view: PolicyView,
}) {}

@Feature({
  controllers: [PoliciesController],
  providers: [PoliciesService],
  entities: [Policy],
})
export class PoliciesModule {}
