/** What Nova did in the name of other services, for clients of its early microversions. */
import { Feature } from '@cumulet/common/service/feature';
import { FloatingIpPoolsController, FloatingIpsController } from './floating-ips.controller.js';
import { ImageMetadataController, ImagesController } from './images.controller.js';
import { ImagesProxyService } from './images.service.js';
import {
  NetworksController,
  NetworksProxy,
  TenantNetworksController,
} from './networks.controller.js';
import {
  SecurityGroupRulesController,
  SecurityGroupsController,
} from './security-groups.controller.js';
import { SecurityGroupsService } from './security-groups.service.js';
import { Sisters } from './sisters.js';
import {
  ProxiesNotOfferedController,
  WithdrawnOperationsController,
} from './withdrawn-operations.js';

@Feature({
  controllers: [
    FloatingIpPoolsController,
    FloatingIpsController,
    ImageMetadataController,
    ImagesController,
    NetworksController,
    ProxiesNotOfferedController,
    SecurityGroupRulesController,
    SecurityGroupsController,
    TenantNetworksController,
    WithdrawnOperationsController,
  ],
  providers: [ImagesProxyService, NetworksProxy, SecurityGroupsService, Sisters],
})
export class ProxiesModule {}
