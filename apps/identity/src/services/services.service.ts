import { Injectable } from '@nestjs/common';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import { type CreateServiceDto, Service } from './service.resource.js';

/** A service goes with its endpoints. */
export const services = new ResourceTable(Service, 'service');

@Injectable()
export class ServicesService extends ResourceService<Service, CreateServiceDto> {
  protected readonly table = services;
}
