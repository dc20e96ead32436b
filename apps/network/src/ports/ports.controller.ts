import { Controller } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { IpAllocation, Port, PortSecurityGroup } from './port.entity.js';
import { resourceController } from '../resource/resource.controller.js';
import { PortReconciler } from './port.reconciler.js';
import { portResource } from './port.resource.js';
import { PortsService } from './ports.service.js';
import { networkUsers } from '../networks/network-users.js';
import { policyBearers } from '../qos/qos-tables.js';
import { reapplyById, reapplyPortsOf, reapplyPortsOfPolicy } from './apply-port.js';

@Controller('v2.0/ports')
export class PortsController extends resourceController(portResource, PortsService) {}

networkUsers.push({ addressesLost: reapplyById, policyChanged: reapplyPortsOf });
policyBearers.push(reapplyPortsOfPolicy);

@Feature({
  controllers: [PortsController],
  providers: [PortsService, PortReconciler],
  entities: [Port, IpAllocation, PortSecurityGroup],
})
export class PortsModule {}
