import { Controller, Injectable } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { crudController } from '../resource/crud.controller.js';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import { CreatePolicyDto, ListPoliciesQuery, Policy, PolicyView } from './policy.resource.js';

export const policies = new ResourceTable(Policy, 'policy');

@Injectable()
export class PoliciesService extends ResourceService<Policy, CreatePolicyDto> {
  protected readonly table = policies;
}

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
