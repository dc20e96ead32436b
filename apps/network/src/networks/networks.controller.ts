import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resource/resource.controller.js';
import { Network } from './network.entity.js';
import { NetworkReconciler } from './network.reconciler.js';
import { networkResource } from './network.resource.js';
import { NetworksService } from './networks.service.js';

@ApiTags('networks')
@Controller('v2.0/networks')
export class NetworksController extends resourceController(networkResource, NetworksService) {}

@Feature({
  controllers: [NetworksController],
  providers: [NetworksService, NetworkReconciler],
  entities: [Network],
})
export class NetworksModule {}
