import { Feature } from '@cumulet/common/service/feature';
import { InterfacesController } from './interfaces.controller.js';
import { InterfacesService } from './interfaces.service.js';
import { Nic } from './nic.entity.js';
import { NicReconciler } from './nic.reconciler.js';
import { NicPortsService } from './nic-ports.service.js';
import { NicRepository } from './nic.repository.js';
import { RequestedNicsService } from './requested-nics.service.js';
import { ServerFloatingIpsService } from './server-floating-ips.service.js';
import { ServerPortsService } from './server-ports.service.js';
import { ServerSecurityGroupsController } from './server-security-groups.controller.js';
import { ServerNicsService } from './server-nics.service.js';

@Feature({
  controllers: [InterfacesController, ServerSecurityGroupsController],
  providers: [
    NicRepository,
    NicPortsService,
    RequestedNicsService,
    ServerNicsService,
    NicReconciler,
    InterfacesService,
    ServerPortsService,
    ServerFloatingIpsService,
  ],
  entities: [Nic],
})
export class NicsModule {}
