import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resource/resource.controller.js';
import { Subnet } from './subnet.entity.js';
import { subnetResource } from './subnet.resource.js';
import { SubnetsService } from './subnets.service.js';

@ApiTags('subnets')
@Controller('v2.0/subnets')
export class SubnetsController extends resourceController(subnetResource, SubnetsService) {}

@Feature({
  controllers: [SubnetsController],
  providers: [SubnetsService],
  entities: [Subnet],
})
export class SubnetsModule {}
