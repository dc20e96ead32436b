import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { crudController } from '../resource/crud.controller.js';
import { CreateEndpointDto, EndpointView, ListEndpointsQuery } from './endpoint.dto.js';
import type { Endpoint } from './endpoint.entity.js';
import { EndpointsService } from './endpoints.service.js';

const Crud = crudController<Endpoint, CreateEndpointDto>({
  kind: 'endpoint',
  query: ListEndpointsQuery,
  create: CreateEndpointDto,
  view: EndpointView,
});

@ApiTags('endpoints')
@Controller('v3/endpoints')
export class EndpointsController extends Crud {
  constructor(service: EndpointsService) {
    super(service);
  }
}
