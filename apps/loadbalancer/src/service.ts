/** The load balancer service. */
import { SisterServicesModule } from '@cumulet/clients/sister-services';
import { QuotaLimits1796300000000 } from '@cumulet/common/quotas/quota-limits.migration';
import { QuotaLimitsModule } from '@cumulet/common/quotas/quota-limit.repository';
import { defineService } from '@cumulet/common/app/define-service';
import { AmphoraeModule } from './amphorae/amphorae.controller.js';
import { AvailabilityZoneProfilesModule } from './availability-zones/availability-zone-profiles.controller.js';
import { AvailabilityZonesModule } from './availability-zones/availability-zones.controller.js';
import { loadBalancerSettings } from './config.js';
import { DataPlaneModule } from './data-plane/choose-data-plane.js';
import { Core1796360000000 } from './database/migrations/1796360000000-core.js';
import { Offers1796360300000 } from './database/migrations/1796360300000-offers.js';
import { Instances1796360400000 } from './database/migrations/1796360400000-instances.js';
import { TlsConsumers1796361200000 } from './database/migrations/1796361200000-tls-consumers.js';
import { VipGroupsAndTags1796750000000 } from './database/migrations/1796750000000-vip-groups-and-tags.js';
import { StatisticsModule } from './statistics/statistics.sweep.js';
import { FlavorProfilesModule } from './flavors/flavor-profiles.controller.js';
import { FlavorsModule } from './flavors/flavors.controller.js';
import { HealthMonitorsModule } from './health-monitors/health-monitors.controller.js';
import { HostsModule } from './hosts/hosts.js';
import { loadBalancerEnvelope } from './http/error-envelope.js';
import { rewriteLoadBalancerUrl } from './http/rewrite-url.js';
import { ListenersModule } from './listeners/listeners.controller.js';
import { L7PoliciesModule } from './l7-policies/l7-policies.controller.js';
import { L7RulesModule } from './l7-rules/l7-rules.controller.js';
import { LoadBalancersModule } from './load-balancers/load-balancers.controller.js';
import { MembersModule } from './members/members.controller.js';
import { PoolsModule } from './pools/pools.controller.js';
import { ProvidersModule } from './providers/providers.controller.js';
import { OvnModule } from './ovn/ovn.sweeps.js';
import { QuotasModule } from './quotas/quotas.controller.js';
import { TlsModule } from './tls/tls-contents.service.js';
import { TreeModule } from './tree/tree-rows.js';
import { VersionsModule } from './versions/versions.controller.js';
import { VipModule } from './vip/vips.service.js';

export const loadBalancerService = defineService({
  name: 'loadbalancer',
  title: 'Cumulet load balancers (Octavia v2)',
  serviceType: 'load-balancer',
  path: '/load-balancer',
  catalog: { name: 'octavia' },
  settings: loadBalancerSettings,
  features: [
    SisterServicesModule,
    AmphoraeModule,
    AvailabilityZoneProfilesModule,
    AvailabilityZonesModule,
    DataPlaneModule,
    StatisticsModule,
    FlavorProfilesModule,
    FlavorsModule,
    HealthMonitorsModule,
    HostsModule,
    ListenersModule,
    L7PoliciesModule,
    L7RulesModule,
    LoadBalancersModule,
    OvnModule,
    MembersModule,
    PoolsModule,
    ProvidersModule,
    QuotaLimitsModule,
    QuotasModule,
    TlsModule,
    TreeModule,
    VersionsModule,
    VipModule,
  ],
  migrations: [
    QuotaLimits1796300000000,
    Core1796360000000,
    Offers1796360300000,
    Instances1796360400000,
    TlsConsumers1796361200000,
    VipGroupsAndTags1796750000000,
  ],
  envelope: loadBalancerEnvelope,
  rewriteUrl: rewriteLoadBalancerUrl,
});
