import { Injectable } from '@nestjs/common';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import type { CreateServiceDto } from './service.dto.js';
import { Service } from './service.entity.js';

/** A service goes with its endpoints. */
export const services = new ResourceTable(Service, 'service');

@Injectable()
export class ServicesService extends ResourceService<Service, CreateServiceDto> {
  protected readonly table = services;
}
