import { SisterServicesModule } from '@cumulet/clients/sister-services';
import { QuotaLimits1796300000000 } from '@cumulet/common/quotas/quota-limits.migration';
import { QuotaLimitsModule } from '@cumulet/common/quotas/quota-limit.repository';
import { defineService } from '@cumulet/common/app/define-service';
import { AclsModule } from './acls/acls.controller.js';
import { secretsSettings } from './config.js';
import { ConsumersModule } from './consumers/consumers.controller.js';
import { ContainersModule } from './containers/containers.controller.js';
import { Core1796350000000 } from './database/migrations/1796350000000-core.js';
import { ActingProject } from './http/acting-project.js';
import { secretsEnvelope } from './http/error-envelope.js';
import { UNSUPPORTED_OPERATIONS } from './http/unsupported-operations.js';
import { MetadataModule } from './metadata/metadata.controller.js';
import { OrdersModule } from './orders/orders.controller.js';
import { QuotasModule } from './quotas/quotas.controller.js';
import { SecretStoresModule } from './secret-stores/secret-stores.controller.js';
import { SecretsModule } from './secrets/secrets.controller.js';
import { SECRETS_VERSIONS, VersionsModule } from './versions/versions.controller.js';

export const secretsService = defineService({
  name: 'secrets',
  title: 'Cumulet secrets (Barbican v1)',
  serviceType: 'key-manager',
  path: '/key-manager',
  catalog: { name: 'barbican' },
  settings: secretsSettings,
  features: [
    SisterServicesModule,
    AclsModule,
    ConsumersModule,
    ContainersModule,
    MetadataModule,
    OrdersModule,
    QuotaLimitsModule,
    QuotasModule,
    SecretStoresModule,
    SecretsModule,
    VersionsModule,
  ],
  migrations: [QuotaLimits1796300000000, Core1796350000000],
  envelope: secretsEnvelope,
  microversions: SECRETS_VERSIONS,
  interceptors: [new ActingProject()],
  unsupported: UNSUPPORTED_OPERATIONS,
});
