import { SisterServicesModule } from '@cumulet/clients/sister-services';
import { QuotaLimits1796300000000 } from '@cumulet/common/quotas/quota-limits.migration';
import { QuotaLimitsModule } from '@cumulet/common/quotas/quota-limit.repository';
import { defineService } from '@cumulet/common/app/define-service';
import { SealedSecrets1799800000000 } from '@cumulet/common/sealing/sealed-secrets.migration';
import { TrustsModule } from '@cumulet/common/trusts/loose-trusts.sweep';
import { ActionsModule } from './actions/actions.controller.js';
import { BuildInfoModule } from './build-info/build-info.controller.js';
import { orchestrationSettings } from './config.js';
import { Core1798000000000 } from './database/migrations/1798000000000-core.js';
import { Engines1798000100000 } from './database/migrations/1798000100000-engines.js';
import { BoundedEvents1798000300000 } from './database/migrations/1798000300000-bounded-events.js';
import { Signals1798000200000 } from './database/migrations/1798000200000-signals.js';
import { EngineModule } from './engine/engine.module.js';
import { EventsModule } from './events/events.controller.js';
import { orchestrationEnvelope } from './http/error-envelope.js';
import { ProjectOfPath, rewriteOrchestrationUrl } from './http/rewrite-url.js';
import { OutputsModule } from './outputs/outputs.controller.js';
import { ResourceTypesModule } from './resource-types/resource-types.controller.js';
import { SealingModule } from './sealing/sealing.module.js';
import { ServicesModule } from './services/services.controller.js';
import { SignalsModule } from './signals/signals.controller.js';
import { SnapshotsModule } from './snapshots/snapshots.controller.js';
import { SoftwareConfigsModule } from './software-configs/software-configs.controller.js';
import { SoftwareDeploymentsModule } from './software-deployments/software-deployments.controller.js';
import { StackResourcesModule } from './stack-resources/stack-resources.controller.js';
import { StackTemplatesModule } from './stack-templates/stack-templates.controller.js';
import { StacksModule } from './stacks/stacks.module.js';
import { EXACT_JSON } from './json/exact-json.js';
import { TemplateReaderModule } from './template-reader/threaded-template-reader.js';
import { TemplateVersionsModule } from './template-versions/template-versions.controller.js';
import { ValidateModule } from './validate/validate.controller.js';
import { VersionsModule } from './versions/versions.controller.js';

export const orchestrationService = defineService({
  name: 'orchestration',
  title: 'Cumulet orchestration (Heat v1)',
  serviceType: 'orchestration',
  path: '/orchestration',
  catalog: { name: 'heat', path: '/v1/%(project_id)s' },
  settings: orchestrationSettings,
  features: [
    SisterServicesModule,
    ActionsModule,
    BuildInfoModule,
    EngineModule,
    EventsModule,
    OutputsModule,
    QuotaLimitsModule,
    ResourceTypesModule,
    SealingModule,
    ServicesModule,
    SignalsModule,
    SnapshotsModule,
    SoftwareConfigsModule,
    SoftwareDeploymentsModule,
    StackResourcesModule,
    StackTemplatesModule,
    StacksModule,
    TemplateReaderModule,
    TemplateVersionsModule,
    TrustsModule,
    ValidateModule,
    VersionsModule,
  ],
  migrations: [
    QuotaLimits1796300000000,
    Core1798000000000,
    Engines1798000100000,
    Signals1798000200000,
    BoundedEvents1798000300000,
    SealedSecrets1799800000000,
  ],
  envelope: orchestrationEnvelope,
  interceptors: [new ProjectOfPath()],
  rewriteUrl: rewriteOrchestrationUrl,
  plainJson: true,
  json: EXACT_JSON,
});
