import { SisterServicesModule } from '@cumulet/clients/sister-services';
import { operationsOf } from '@cumulet/common/http/unsupported-operations';
import { QuotaLimits1796300000000 } from '@cumulet/common/quotas/quota-limits.migration';
import { QuotaLimitsModule } from '@cumulet/common/quotas/quota-limit.repository';
import { defineService } from '@cumulet/common/app/define-service';
import { AddressGroupsModule } from './address-groups/address-groups.controller.js';
import { AgentsModule } from './agents/agents.controller.js';
import { AvailabilityZonesModule } from './availability-zones/availability-zones.controller.js';
import { BalancersModule } from './balancers/balancers.controller.js';
import { AddressScopesModule } from './address-scopes/address-scopes.controller.js';
import { AutoAllocatedTopologiesModule } from './auto-allocated-topology/auto-allocated-topologies.controller.js';
import { ComputeModule } from './compute.port.js';
import { networkSettings } from './config.js';
import { DataPlaneComparisonModule } from './data-plane-comparison/data-plane.sweep.js';
import { DataPlaneModule } from './data-plane/data-plane.module.js';
import { Core1796500000000 } from './database/migrations/1796500000000-core.js';
import { SecurityGroups1796600000000 } from './database/migrations/1796600000000-security-groups.js';
import { SubnetPools1796710000000 } from './database/migrations/1796710000000-subnet-pools.js';
import { FloatingIps1796740000000 } from './database/migrations/1796740000000-floating-ips.js';
import { Routers1796720000000 } from './database/migrations/1796720000000-routers.js';
import { AddressGroups1796725000000 } from './database/migrations/1796725000000-address-groups.js';
import { DefaultSecurityGroupRules1796730000000 } from './database/migrations/1796730000000-default-security-group-rules.js';
import { AutoAllocatedTopologies1796750000000 } from './database/migrations/1796750000000-auto-allocated-topologies.js';
import { PortVisibility1796790000000 } from './database/migrations/1796790000000-port-visibility.js';
import { ServerEvents1796770000000 } from './database/migrations/1796770000000-server-events.js';
import { RbacObjectTypes1796795000000 } from './database/migrations/1796795000000-rbac-object-types.js';
import { DataPlaneKind1796820000000 } from './database/migrations/1796820000000-data-plane-kind.js';
import { SecurityGroupDefaults1796830000000 } from './database/migrations/1796830000000-security-group-defaults.js';
import { ExternalQos1796850000000 } from './database/migrations/1796850000000-external-qos.js';
import { Trunks1796880000000 } from './database/migrations/1796880000000-trunks.js';
import { Segments1796900000000 } from './database/migrations/1796900000000-segments.js';
import { Balancers1796910000000 } from './database/migrations/1796910000000-balancers.js';
import { GivenPrefixes1796920000000 } from './database/migrations/1796920000000-given-prefixes.js';
import { SegmentsModule } from './segments/segments.controller.js';
import { TrunksModule } from './trunks/trunks.controller.js';
import { DefaultStatefulnessModule } from './security-groups/default-statefulness/default-statefulness.controller.js';
import { MetadataPorts1796840000000 } from './database/migrations/1796840000000-metadata-ports.js';
import { DefaultSecurityGroupRulesModule } from './security-groups/default-rules/default-rules.controller.js';
import { RbacPolicies1796760000000 } from './database/migrations/1796760000000-rbac-policies.js';
import { Qos1796745000000 } from './database/migrations/1796745000000-qos.js';
import { Agents1796870000000 } from './database/migrations/1796870000000-agents.js';
import { PortBindings1796890000000 } from './database/migrations/1796890000000-port-bindings.js';
import { QosModule } from './qos/qos.controller.js';
import { ExtensionsModule } from './extensions/extensions.controller.js';
import { FloatingIpsModule } from './floatingips/floatingips.controller.js';
import { FloatingIpPoolsModule } from './floatingip-pools/floatingip-pools.controller.js';
import { networkEnvelope } from './http/error-envelope.js';
import { rewriteNetworkUrl } from './http/rewrite-url.js';
import { UntypedBodiesModule } from './http/untyped-bodies.js';
import { UNSUPPORTED_GROUPS } from './http/unsupported-operations.js';
import { MetadataPortsModule } from './metadata-ports/metadata-ports.js';
import { NetworkIpAvailabilitiesModule } from './network-ip-availabilities/ip-availabilities.controller.js';
import { NetworksModule } from './networks/networks.controller.js';
import { SecurityGroupRulesModule } from './security-groups/rules/security-group-rules.controller.js';
import { SecurityGroupsModule } from './security-groups/security-groups.controller.js';
import { PortBindingsModule } from './port-bindings/port-bindings.controller.js';
import { PortForwardingsModule } from './port-forwardings/port-forwardings.controller.js';
import { PortsModule } from './ports/ports.controller.js';
import { QuotasModule } from './quotas/quotas.controller.js';
import { RbacPoliciesModule } from './rbac-policies/rbac-policies.controller.js';
import { ServerEventsModule } from './server-events/server-event.reconciler.js';
import { ServiceProvidersModule } from './service-providers/service-providers.controller.js';
import { SubnetpoolsModule } from './subnetpools/subnetpools.controller.js';
import { RoutersModule } from './routers/routers.controller.js';
import { SubnetsModule } from './subnets/subnets.controller.js';
import { VersionsModule } from './versions/versions.controller.js';

export const networkService = defineService({
  name: 'network',
  title: 'Cumulet network (Neutron v2.0)',
  serviceType: 'network',
  path: '/networking',
  catalog: { name: 'neutron' },
  settings: networkSettings,
  rewriteUrl: rewriteNetworkUrl,
  features: [
    SisterServicesModule,
    AddressGroupsModule,
    AddressScopesModule,
    AgentsModule,
    AutoAllocatedTopologiesModule,
    AvailabilityZonesModule,
    BalancersModule,
    ComputeModule,
    DataPlaneModule,
    DataPlaneComparisonModule,
    DefaultSecurityGroupRulesModule,
    DefaultStatefulnessModule,
    ExtensionsModule,
    FloatingIpPoolsModule,
    FloatingIpsModule,
    MetadataPortsModule,
    NetworkIpAvailabilitiesModule,
    NetworksModule,
    PortBindingsModule,
    PortForwardingsModule,
    PortsModule,
    QosModule,
    QuotaLimitsModule,
    QuotasModule,
    RbacPoliciesModule,
    RoutersModule,
    SecurityGroupRulesModule,
    SecurityGroupsModule,
    ServerEventsModule,
    SegmentsModule,
    ServiceProvidersModule,
    SubnetpoolsModule,
    SubnetsModule,
    UntypedBodiesModule,
    TrunksModule,
    VersionsModule,
  ],
  migrations: [
    Core1796500000000,
    QuotaLimits1796300000000,
    SecurityGroups1796600000000,
    SubnetPools1796710000000,
    Routers1796720000000,
    AddressGroups1796725000000,
    DefaultSecurityGroupRules1796730000000,
    FloatingIps1796740000000,
    Qos1796745000000,
    AutoAllocatedTopologies1796750000000,
    RbacPolicies1796760000000,
    ServerEvents1796770000000,
    PortVisibility1796790000000,
    RbacObjectTypes1796795000000,
    DataPlaneKind1796820000000,
    SecurityGroupDefaults1796830000000,
    MetadataPorts1796840000000,
    ExternalQos1796850000000,
    Agents1796870000000,
    Trunks1796880000000,
    PortBindings1796890000000,
    Segments1796900000000,
    Balancers1796910000000,
    GivenPrefixes1796920000000,
  ],
  envelope: networkEnvelope,
  unsupported: operationsOf(UNSUPPORTED_GROUPS),
});
