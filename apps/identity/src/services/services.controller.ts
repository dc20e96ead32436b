import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { crudController } from '../resource/crud.controller.js';
import { CreateServiceDto, ListServicesQuery, ServiceView } from './service.dto.js';
import type { Service } from './service.entity.js';
import { ServicesService } from './services.service.js';

const Crud = crudController<Service, CreateServiceDto>({
  kind: 'service',
  query: ListServicesQuery,
  create: CreateServiceDto,
  view: ServiceView,
});

@ApiTags('services')
@Controller('v3/services')
export class ServicesController extends Crud {
  constructor(service: ServicesService) {
    super(service);
  }
}
