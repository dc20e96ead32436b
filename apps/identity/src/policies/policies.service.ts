import { Injectable } from '@nestjs/common';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import type { CreatePolicyDto } from './policy.dto.js';
import { Policy } from './policy.entity.js';

export const policies = new ResourceTable(Policy, 'policy');

@Injectable()
export class PoliciesService extends ResourceService<Policy, CreatePolicyDto> {
  protected readonly table = policies;
}
