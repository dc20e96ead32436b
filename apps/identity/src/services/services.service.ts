import { Injectable } from '@nestjs/common';
import { InUseError } from '../resource/resource.errors.js';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import type { CreateServiceDto } from './service.dto.js';
import { Service } from './service.entity.js';

/** A service goes with its endpoints. */
export const services = new ResourceTable(Service, 'service', {
  refusals: {
    registered_limits_service_id_fkey: ({ id = '' }) =>
      new InUseError(`Cannot delete the service ${id}: it has registered limits.`),
  },
});

@Injectable()
export class ServicesService extends ResourceService<Service, CreateServiceDto> {
  protected readonly table = services;
}
