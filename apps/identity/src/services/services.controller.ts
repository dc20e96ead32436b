import { Controller } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { crudController } from '../resource/crud.controller.js';
import { CreateServiceDto, ListServicesQuery, Service, ServiceView } from './service.resource.js';
import { ServicesService } from './services.service.js';

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
