import { SisterServicesModule } from '@cumulet/clients/sister-services';
import { outerKey } from '@cumulet/common/http/error-envelope';
import { defineService } from '@cumulet/common/app/define-service';
import { SealedSecrets1799800000000 } from '@cumulet/common/sealing/sealed-secrets.migration';
import { QuotaLimits1796300000000 } from '@cumulet/common/quotas/quota-limits.migration';
import { QuotaLimitsModule } from '@cumulet/common/quotas/quota-limit.repository';
import { AggregatesModule } from './aggregates/aggregates.controller.js';
import { AvailabilityZonesModule } from './availability-zones/availability-zones.controller.js';
import { computeSettings } from './config.js';
import { CreateCompute1763700000000 } from './database/migrations/1763700000000-create-compute.js';
import { Generations1795800000000 } from './database/migrations/1795800000000-generations.js';
import { DiskTags1796207200000 } from './database/migrations/1796207200000-disk-tags.js';
import { InjectedFiles1796210800000 } from './database/migrations/1796210800000-injected-files.js';
import { HostUsage1796214400000 } from './database/migrations/1796214400000-host-usage.js';
import { WholeFlavors1796310000000 } from './database/migrations/1796310000000-whole-flavors.js';
import { Keypairs1796320000000 } from './database/migrations/1796320000000-keypairs.js';
import { ServerNics1796330100000 } from './database/migrations/1796330100000-server-nics.js';
import { LockServers1796330200000 } from './database/migrations/1796330200000-lock-servers.js';
import { StatesByTheirTable1796330210000 } from './database/migrations/1796330210000-states-by-their-table.js';
import { ServerResizes1796330220000 } from './database/migrations/1796330220000-server-resizes.js';
import { RescueImages1796330230000 } from './database/migrations/1796330230000-rescue-images.js';
import { DeletedServers1796330300000 } from './database/migrations/1796330300000-deleted-servers.js';
import { InstanceActions1796330301000 } from './database/migrations/1796330301000-instance-actions.js';
import { Snapshots1796330302000 } from './database/migrations/1796330302000-snapshots.js';
import { DeletedServersModule } from './servers/deleted/deleted-servers.sweep.js';
import { ListedServers1796330602000 } from './database/migrations/1796330602000-listed-servers.js';
import { ActionsOnCards1796340100000 } from './database/migrations/1796340100000-actions-on-cards.js';
import { ServerAttributes1796330601000 } from './database/migrations/1796330601000-server-attributes.js';
import { HostServices1796330400000 } from './database/migrations/1796330400000-host-services.js';
import { ConsoleTokens1796330500000 } from './database/migrations/1796330500000-console-tokens.js';
import { ConsolesModule } from './consoles/consoles.controller.js';
import { ExtensionsModule } from './extensions/extensions.controller.js';
import { Placement1796330401000 } from './database/migrations/1796330401000-placement.js';
import { LeftoverGuests1796330402000 } from './database/migrations/1796330402000-leftover-guests.js';
import { ClaimedDisks1796330403000 } from './database/migrations/1796330403000-claimed-disks.js';
import { LocalDisks1796330500001 } from './database/migrations/1796330500001-local-disks.js';
import { WantedImages1796340110000 } from './database/migrations/1796340110000-wanted-images.js';
import { ServerMigrations1796340200000 } from './database/migrations/1796340200000-server-migrations.js';
import { ResizesElsewhere1796340210000 } from './database/migrations/1796340210000-resizes-elsewhere.js';
import { LeftImages1796340291000 } from './database/migrations/1796340291000-left-images.js';
import { BoundedActions1796340292000 } from './database/migrations/1796340292000-bounded-actions.js';
import { GuestsOff1796340290000 } from './database/migrations/1796340290000-guests-off.js';
import { FlavorsModule } from './flavors/flavors.controller.js';
import { HostAgentModule } from './host-agent/host-agent.js';
import { HostsModule } from './hosts/hosts.controller.js';
import { rewriteComputeUrl } from './http/rewrite-url.js';
import { UNSUPPORTED_OPERATIONS } from './http/unsupported-operations.js';
import { HypervisorsModule } from './hypervisors/hypervisors.controller.js';
import { HypervisorModule } from './hypervisor/choose-hypervisor.js';
import { ImagesModule } from './images.port.js';
import { InstanceActionsModule } from './servers/instance-actions/instance-actions.controller.js';
import { KeypairsModule } from './keypairs/keypairs.controller.js';
import { NetworksModule } from './networks.port.js';
import { MetadataServiceModule } from './metadata-service/metadata.controller.js';
import { NicsModule } from './nics/interfaces.controller.js';
import { ProjectsModule } from './projects.port.js';
import { ProxiesModule } from './proxies/proxies.controller.js';
import { QuotaSetsModule } from './quotas/quota-sets.controller.js';
import { SchedulerModule } from './scheduler/placement.js';
import { ServerGroupsModule } from './server-groups/server-groups.controller.js';
import { ServerExternalEventsModule } from './server-external-events/server-external-events.controller.js';
import { ServerDiagnosticsModule } from './servers/diagnostics/server-diagnostics.controller.js';
import { ServerMigrationsModule } from './server-migrations/server-migrations.controller.js';
import { ServerActionsModule } from './server-actions/server-actions.controller.js';
import { ServerCreationModule } from './server-creation/create-servers.service.js';
import { ServerPlansModule } from './server-plans/server.reconciler.js';
import { AddressesModule } from './servers/addresses/addresses.controller.js';
import { ServersModule } from './servers/servers.controller.js';
import { ServicesModule } from './services/services.controller.js';
import { UsageModule } from './usage/usage.controller.js';
import { COMPUTE_VERSIONS } from './versions/microversions.js';
import { StrictQueries } from './versions/strict-queries.interceptor.js';
import { VersionsModule } from './versions/versions.controller.js';

export const computeService = defineService({
  name: 'compute',
  title: 'Cumulet compute (Nova v2.1)',
  serviceType: 'compute',
  path: '/compute',
  catalog: { name: 'nova', path: '/v2.1' },
  settings: computeSettings,
  features: [
    SisterServicesModule,
    AggregatesModule,
    AvailabilityZonesModule,
    DeletedServersModule,
    ConsolesModule,
    ExtensionsModule,
    FlavorsModule,
    HostAgentModule,
    HostsModule,
    HypervisorModule,
    HypervisorsModule,
    ImagesModule,
    InstanceActionsModule,
    KeypairsModule,
    NetworksModule,
    MetadataServiceModule,
    AddressesModule,
    NicsModule,
    ProjectsModule,
    ProxiesModule,
    QuotaLimitsModule,
    QuotaSetsModule,
    SchedulerModule,
    ServerExternalEventsModule,
    ServerGroupsModule,
    ServerDiagnosticsModule,
    ServerMigrationsModule,
    ServersModule,
    ServerActionsModule,
    ServerCreationModule,
    ServerPlansModule,
    ServicesModule,
    UsageModule,
    VersionsModule,
  ],
  migrations: [
    CreateCompute1763700000000,
    Generations1795800000000,
    DiskTags1796207200000,
    InjectedFiles1796210800000,
    HostUsage1796214400000,
    QuotaLimits1796300000000,
    WholeFlavors1796310000000,
    Keypairs1796320000000,
    ServerNics1796330100000,
    LockServers1796330200000,
    StatesByTheirTable1796330210000,
    ServerResizes1796330220000,
    RescueImages1796330230000,
    DeletedServers1796330300000,
    InstanceActions1796330301000,
    Snapshots1796330302000,
    ServerAttributes1796330601000,
    ListedServers1796330602000,
    ActionsOnCards1796340100000,
    HostServices1796330400000,
    ConsoleTokens1796330500000,
    Placement1796330401000,
    LeftoverGuests1796330402000,
    ClaimedDisks1796330403000,
    LocalDisks1796330500001,
    WantedImages1796340110000,
    ServerMigrations1796340200000,
    ResizesElsewhere1796340210000,
    GuestsOff1796340290000,
    LeftImages1796340291000,
    BoundedActions1796340292000,
    SealedSecrets1799800000000,
  ],
  // `{"itemNotFound": {"code": 404, "message": "…"}}` (API reference, "Platform JSON error format").
  envelope: ({ status, message }) => ({
    [status === 500 ? 'computeFault' : outerKey(status)]: { code: status, message },
  }),
  unsupported: UNSUPPORTED_OPERATIONS,
  microversions: COMPUTE_VERSIONS,
  rewriteUrl: rewriteComputeUrl,
  interceptors: [new StrictQueries()],
  requestIdAlias: 'X-Compute-Request-Id',
});
