/**
 * What projects and their buckets come to: the platform's own, with a token instead of a signature.
 */
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { UnifiedLimitsClient } from '@cumulet/clients/identity/unified-limits-client';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { S3Config } from '../config.js';
import { BucketUsage } from './bucket-usage.entity.js';
import { LimitsSweep, UNIFIED_LIMITS } from './limits.sweep.js';
import { StorageQuotas } from './storage-quotas.js';
import { UsageRepository } from './usage.repository.js';
import { UsageAnswer, usageView } from './usage.view.js';

@ApiTags('usage')
@Controller('usage')
export class UsageController {
  constructor(private readonly usage: UsageRepository) {}

  @Get()
  @Allow('reader')
  @Operation('Show what projects and buckets come to', UsageAnswer)
  async show(@Ctx() ctx: RequestContext): Promise<UsageAnswer> {
    const rows = await this.usage.ofBuckets(ctx, ctx.isAdmin ? undefined : ctx.projectId);
    return usageView(rows);
  }
}

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
