import { Controller, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { crudController } from '../resource/crud.controller.js';
import { CreateEndpointDto, EndpointView, ListEndpointsQuery } from './endpoint.dto.js';
import { Endpoint } from './endpoint.entity.js';
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
  constructor(@Inject(EndpointsService) service: EndpointsService) {
    super(service);
  }
}

@Feature({
  controllers: [EndpointsController],
  providers: [EndpointsService],
  entities: [Endpoint],
})
export class EndpointsModule {}
