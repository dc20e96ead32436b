/** The orchestration service. */
import { SisterServicesModule } from '@cumulet/clients/sister-services';
import { QuotaLimits1796300000000 } from '@cumulet/common/quotas/quota-limits.migration';
import { QuotaLimitsModule } from '@cumulet/common/quotas/quota-limits.module';
import { defineService } from '@cumulet/common/service/define-service';
import { orchestrationSettings } from './config.js';
import { orchestrationEnvelope } from './http/error-envelope.js';
import { ProjectOfPath, rewriteOrchestrationUrl } from './http/rewrite-url.js';
import { VersionsModule } from './versions/versions.controller.js';

export const orchestrationService = defineService({
  name: 'orchestration',
  title: 'Cumulet orchestration (Heat v1)',
  serviceType: 'orchestration',
  path: '/orchestration',
  catalog: { name: 'heat', path: '/v1/%(project_id)s' },
  settings: orchestrationSettings,
  features: [SisterServicesModule, QuotaLimitsModule, VersionsModule],
  migrations: [QuotaLimits1796300000000],
  envelope: orchestrationEnvelope,
  interceptors: [new ProjectOfPath()],
  rewriteUrl: rewriteOrchestrationUrl,
});
