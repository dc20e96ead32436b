/** Policies on the wire. Public source: Keystone API reference, "Policies". */
import { Controller, Injectable } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { crudController } from '../resource/crud.controller.js';
import { PageQuery, ResourceDto, TextFilter } from '../resource/resource.dto.js';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import { ResourceView } from '../resource/resource.view.js';
import { Policy } from './policy.entity.js';

class CreatePolicyDto extends ResourceDto {
  @StringField({ example: 'application/json' })
  type: string;

  @StringField({ min: 0, max: 1_048_576 })
  blob: string;
}

class ListPoliciesQuery extends PageQuery {
  @TextFilter()
  type?: string;
}

class PolicyView extends ResourceView {
  @Shown(String, 'The media type of the blob.')
  type: string;

  @Shown(String, 'The rules, as the service reads them.')
  blob: string;
}

export const policies = new ResourceTable(Policy, 'policy');

@Injectable()
export class PoliciesService extends ResourceService<Policy, CreatePolicyDto> {
  protected readonly table = policies;
}

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
