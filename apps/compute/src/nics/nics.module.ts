import { Feature } from '@cumulet/common/service/feature';
import { AddressesController } from './addresses.controller.js';
import { Nic } from './nic.entity.js';
import { NicReconciler } from './nic.reconciler.js';
import { NicPortsService } from './nic-ports.service.js';
import { NicRepository } from './nic.repository.js';
import { RequestedNicsService } from './requested-nics.service.js';
import { ServerNicsService } from './server-nics.service.js';

@Feature({
  controllers: [AddressesController],
  providers: [
    NicRepository,
    NicPortsService,
    RequestedNicsService,
    ServerNicsService,
    NicReconciler,
  ],
  entities: [Nic],
})
export class NicsModule {}
