import { Controller } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resource/resource.controller.js';
import { AddressRange, Subnet } from './subnet.entity.js';
import { subnetResource } from './subnet.resource.js';
import { SubnetsService } from './subnets.service.js';
import { networkUsers } from '../networks/network-users.js';
import { subnetSpecsOf } from './subnet.repository.js';

@Controller('v2.0/subnets')
export class SubnetsController extends resourceController(subnetResource, SubnetsService) {}

networkUsers.push({ partsOf: subnetSpecsOf });

@Feature({
  controllers: [SubnetsController],
  providers: [SubnetsService],
  entities: [Subnet, AddressRange],
})
export class SubnetsModule {}
