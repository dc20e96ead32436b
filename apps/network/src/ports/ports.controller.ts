import { Controller } from '@nestjs/common';
import { equals } from '@cumulet/common/tables/condition';
import { Feature } from '@cumulet/common/service/feature';
import { IpAllocation, Port, PortSecurityGroup } from './port.entity.js';
import { resourceController } from '../resource/resource.controller.js';
import { isPresent } from '../resource/resource.table.js';
import { PortReconciler } from './port.reconciler.js';
import { ports } from './port.repository.js';
import { portResource } from './port.resource.js';
import { PortsService } from './ports.service.js';
import { NetworkInUseError } from '../networks/network.errors.js';
import { networkUsers } from '../networks/network-users.js';
import { policyBearers } from '../qos/qos-tables.js';
import { reapplyPortsOf, reapplyPortsOfPolicy, releaseSubnet } from './apply-port.js';

@Controller('v2.0/ports')
export class PortsController extends resourceController(portResource, PortsService) {}

networkUsers.push({
  isOn: (ctx, networkId) => ports.has(ctx, [equals('networkId', networkId)]),
  policyChanged: reapplyPortsOf,
  async refuseRemoval(tx, networkId) {
    if (await ports.has(tx, [equals('networkId', networkId), isPresent]))
      throw new NetworkInUseError(networkId);
  },
  subnetRemoved: releaseSubnet,
});
policyBearers.push(reapplyPortsOfPolicy);

@Feature({
  controllers: [PortsController],
  providers: [PortsService, PortReconciler],
  entities: [Port, IpAllocation, PortSecurityGroup],
})
export class PortsModule {}
