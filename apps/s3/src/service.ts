/** The S3 service. */
import { SisterServicesModule } from '@cumulet/clients/sister-services';
import { defineService } from '@cumulet/common/app/define-service';
import { QuotaLimits1796300000000 } from '@cumulet/common/quotas/quota-limits.migration';
import { QuotaLimitsModule } from '@cumulet/common/quotas/quota-limit.repository';
import { AccessLogsModule } from './access-logs/access-logs.sweep.js';
import { AccessModule } from './access/access.module.js';
import { AuthModule } from './auth/authenticator.js';
import { BucketsModule } from './bucket-operations/bucket.operations.js';
import { s3Settings } from './config.js';
import { ContentModule } from './content/content-writer.js';
import { ConfigurationsModule } from './configurations/unconfigured.operations.js';
import { Core1797000000000 } from './database/migrations/1797000000000-core.js';
import { BoundedUploads1797000100000 } from './database/migrations/1797000100000-bounded-uploads.js';
import { ToldLegalHolds1797000200000 } from './database/migrations/1797000200000-told-legal-holds.js';
import { s3Envelope } from './http/error-answer.js';
import { rewriteS3Url, S3Module } from './dispatch/s3.controller.js';
import { LifecycleModule } from './lifecycle/lifecycle.sweep.js';
import { ListingModule } from './listing/list.operations.js';
import { LocksModule } from './object-operations/locks/lock.operations.js';
import { LooseDataModule } from './loose-data/loose-data.sweep.js';
import { MultipartModule } from './multipart/create-multipart-upload.operations.js';
import { NotificationsModule } from './notifications/bucket-events.sweep.js';
import { ObjectsModule } from './object-operations/object-acl.operations.js';
import { ScrubModule } from './scrub/scrub.sweep.js';
import { StoreModule } from './store/store.js';
import { UsageModule } from './usage/usage.controller.js';
import { WebsiteModule } from './website/websites.js';

export const s3Service = defineService({
  name: 's3',
  title: 'Cumulet S3 (Amazon S3)',
  serviceType: 's3',
  path: '',
  ownPort: true,
  catalog: { name: 's3' },
  settings: s3Settings,
  // The store module comes first: it claims the store.
  features: [
    SisterServicesModule,
    StoreModule,
    AccessLogsModule,
    AccessModule,
    AuthModule,
    BucketsModule,
    ConfigurationsModule,
    ContentModule,
    LifecycleModule,
    ListingModule,
    LocksModule,
    LooseDataModule,
    MultipartModule,
    NotificationsModule,
    ObjectsModule,
    QuotaLimitsModule,
    S3Module,
    ScrubModule,
    UsageModule,
    WebsiteModule,
  ],
  migrations: [
    QuotaLimits1796300000000,
    Core1797000000000,
    BoundedUploads1797000100000,
    ToldLegalHolds1797000200000,
  ],
  envelope: s3Envelope,
  errorMediaType: 'application/xml',
  requestIdAlias: ['x-object-request-id', 'x-amz-request-id', 'x-amz-id-2'],
  rewriteUrl: rewriteS3Url,
  strictPaths: true,
});
