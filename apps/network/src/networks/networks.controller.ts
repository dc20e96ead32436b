import { Controller } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { registerKind } from '../rbac-policies/rbac-kind.js';
import { resourceController } from '../resource/resource.controller.js';
import { Network } from './network.entity.js';
import { NetworkReconciler } from './network.reconciler.js';
import { networkResource } from './network.resource.js';
import { networkKind } from './network-sharing.js';
import { NetworksService } from './networks.service.js';

@Controller('v2.0/networks')
export class NetworksController extends resourceController(networkResource, NetworksService) {}

registerKind('network', networkKind);

@Feature({
  controllers: [NetworksController],
  providers: [NetworksService, NetworkReconciler],
  entities: [Network],
})
export class NetworksModule {}
