import { SisterServicesModule } from '@cumulet/clients/sister-services';
import { Engines1798300100000 } from '@cumulet/common/engines/engines.migration';
import { QuotaLimits1796300000000 } from '@cumulet/common/quotas/quota-limits.migration';
import { QuotaLimitsModule } from '@cumulet/common/quotas/quota-limit.repository';
import { defineService } from '@cumulet/common/app/define-service';
import { SealedSecrets1799800000000 } from '@cumulet/common/sealing/sealed-secrets.migration';
import { LooseTrusts1798300000000 } from '@cumulet/common/trusts/loose-trusts.migration';
import { TrustsModule } from '@cumulet/common/trusts/loose-trusts.sweep';
import { CertificatesModule } from './certificates/certificates.controller.js';
import { ClusterTemplatesModule } from './cluster-templates/cluster-templates.controller.js';
import { ClustersModule } from './operations/clusters.controller.js';
import { clustersSettings } from './config.js';
import { CredentialsModule } from './credentials/credentials.controller.js';
import { Core1798400000000 } from './database/migrations/1798400000000-core.js';
import { EngineModule } from './engine/engine.module.js';
import { EmptyBodiesModule } from './http/empty-bodies.js';
import { clustersEnvelope } from './http/error-envelope.js';
import { rewriteClustersUrl } from './http/rewrite-url.js';
import { UNSUPPORTED } from './http/unsupported-operations.js';
import { NodeGroupsModule } from './operations/node-groups.controller.js';
import { NodesModule } from './nodes/nodes.controller.js';
import { QuotasModule } from './quotas/quotas.controller.js';
import { ServicesModule } from './services/services.controller.js';
import { StatsModule } from './stats/stats.controller.js';
import { CLUSTERS_VERSIONS } from './http/microversions.js';
import { VersionsModule } from './versions/versions.controller.js';

export const clustersService = defineService({
  name: 'clusters',
  title: 'Cumulet container clusters (Magnum v1)',
  serviceType: 'container-infra',
  path: '/container-infra',
  catalog: { name: 'magnum', path: '/v1' },
  settings: clustersSettings,
  features: [
    SisterServicesModule,
    CertificatesModule,
    ClusterTemplatesModule,
    ClustersModule,
    CredentialsModule,
    EmptyBodiesModule,
    EngineModule,
    NodeGroupsModule,
    NodesModule,
    QuotaLimitsModule,
    QuotasModule,
    ServicesModule,
    StatsModule,
    TrustsModule,
    VersionsModule,
  ],
  migrations: [
    QuotaLimits1796300000000,
    LooseTrusts1798300000000,
    Engines1798300100000,
    Core1798400000000,
    SealedSecrets1799800000000,
  ],
  envelope: clustersEnvelope,
  microversions: CLUSTERS_VERSIONS,
  rewriteUrl: rewriteClustersUrl,
  unsupported: UNSUPPORTED,
});
