import { Controller } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { crudController } from '../resource/crud.controller.js';
import {
  CreateEndpointDto,
  Endpoint,
  EndpointView,
  ListEndpointsQuery,
} from './endpoint.resource.js';
import { EndpointsService } from './endpoints.service.js';

@Controller('v3/endpoints')
export class EndpointsController extends crudController({
  kind: 'endpoint',
  service: EndpointsService,
  query: ListEndpointsQuery,
  create: CreateEndpointDto,
  view: EndpointView,
}) {}

@Feature({
  controllers: [EndpointsController],
  providers: [EndpointsService],
  entities: [Endpoint],
})
export class EndpointsModule {}
