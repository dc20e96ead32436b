import { Controller, Injectable } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { crudController } from '../resource/crud.controller.js';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import { CreateServiceDto, ListServicesQuery, Service, ServiceView } from './service.resource.js';

export const services = new ResourceTable(Service, 'service');

@Injectable()
export class ServicesService extends ResourceService<Service, CreateServiceDto> {
  protected readonly table = services;
}

@Controller('v3/services')
export class ServicesController extends crudController({
  kind: 'service',
  service: ServicesService,
  query: ListServicesQuery,
  create: CreateServiceDto,
  view: ServiceView,
}) {}

@Feature({ controllers: [ServicesController], providers: [ServicesService], entities: [Service] })
export class ServicesModule {}
