/** What buckets come to, and how much there may be. */
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { UnifiedLimitsClient } from '@cumulet/clients/identity/unified-limits-client';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { S3Config } from '../config.js';
import { BucketUsage } from './bucket-usage.entity.js';
import { LimitsSweep, UNIFIED_LIMITS } from './limits.sweep.js';
import { StorageQuotas } from './storage-quotas.js';
import { UsageController } from './usage.controller.js';
import { UsageRepository } from './usage.repository.js';

@Feature({
  controllers: [UsageController],
  entities: [BucketUsage],
  providers: [
    LimitsSweep,
    StorageQuotas,
    UsageRepository,
    {
      provide: UNIFIED_LIMITS,
      inject: [CONFIG, ActorCredentials],
      useFactory: ({ identityUrl }: S3Config, credentials: ActorCredentials) =>
        new UnifiedLimitsClient({ identityUrl, credentials }),
    },
  ],
})
export class UsageModule {}
