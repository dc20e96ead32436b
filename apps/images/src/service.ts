import { SisterServicesModule } from '@cumulet/clients/sister-services';
import { defineService } from '@cumulet/common/app/define-service';
import { QuotaLimits1796300000000 } from '@cumulet/common/quotas/quota-limits.migration';
import { QuotaLimitsModule } from '@cumulet/common/quotas/quota-limit.repository';
import { imagesSettings } from './config.js';
import { Core1763700000000 } from './database/migrations/1763700000000-core.js';
import { WholeImages1795230000000 } from './database/migrations/1795230000000-whole-images.js';
import { MetadataDefinitions1795300000000 } from './database/migrations/1795300000000-metadata-definitions.js';
import { WellKnownResourceTypes1795400000000 } from './database/migrations/1795400000000-well-known-resource-types.js';
import { UsedImageIds1795500000000 } from './database/migrations/1795500000000-used-image-ids.js';
import { StoreMarks1795600000000 } from './database/migrations/1795600000000-store-marks.js';
import { ImportTurns1795700000000 } from './database/migrations/1795700000000-import-turns.js';
import { Generations1795800000000 } from './database/migrations/1795800000000-generations.js';
import { UnsettledImages1795900000000 } from './database/migrations/1795900000000-unsettled-images.js';
import { DiscoveryModule } from './discovery/discovery.controller.js';
import { rewriteImagesUrl } from './http/rewrite-url.js';
import { UNSUPPORTED_OPERATIONS } from './http/unsupported-operations.js';
import { ImageDataModule } from './image-data/image-data.controller.js';
import { ImagesModule } from './images/images.controller.js';
import { ImportsModule } from './imports/imports.controller.js';
import { ImageReconcilerModule } from './upkeep/image.reconciler.js';
import { LimitsModule } from './upkeep/limits.sweep.js';
import { MembersModule } from './images/members/members.controller.js';
import { NamespacesModule } from './metadefs/namespaces/namespaces.controller.js';
import { ObjectsModule } from './metadefs/objects/objects.controller.js';
import { PropertiesModule } from './metadefs/properties/properties.controller.js';
import { ResourceTypesModule } from './metadefs/resource-types/resource-types.controller.js';
import { MetadefTagsModule } from './metadefs/tags/tags.controller.js';
import { SchemasModule } from './schemas/schemas.controller.js';
import { ScrubModule } from './upkeep/scrub.sweep.js';
import { StoreModule } from './store/store.module.js';
import { StoresModule } from './stores/stores.controller.js';
import { TasksModule } from './tasks/tasks.controller.js';
import { VersionsModule } from './versions/versions.controller.js';

export const imagesService = defineService({
  name: 'images',
  title: 'Cumulet images (Glance v2)',
  serviceType: 'image',
  path: '/image',
  catalog: { name: 'glance' },
  settings: imagesSettings,
  // The store must be claimed before other features use it.
  features: [
    SisterServicesModule,
    StoreModule,
    DiscoveryModule,
    ImageDataModule,
    ImageReconcilerModule,
    ImagesModule,
    ImportsModule,
    LimitsModule,
    MembersModule,
    MetadefTagsModule,
    NamespacesModule,
    ObjectsModule,
    PropertiesModule,
    QuotaLimitsModule,
    ResourceTypesModule,
    SchemasModule,
    ScrubModule,
    StoresModule,
    TasksModule,
    VersionsModule,
  ],
  migrations: [
    Core1763700000000,
    WholeImages1795230000000,
    MetadataDefinitions1795300000000,
    WellKnownResourceTypes1795400000000,
    UsedImageIds1795500000000,
    StoreMarks1795600000000,
    ImportTurns1795700000000,
    Generations1795800000000,
    UnsettledImages1795900000000,
    QuotaLimits1796300000000,
  ],
  unsupported: UNSUPPORTED_OPERATIONS,
  strictPaths: true,
  rewriteUrl: rewriteImagesUrl,
});
