/** Usage of projects and buckets: an API of this platform, with a token instead of a signature. */
import { LimitsOfService, unifiedLimits } from '@cumulet/clients/identity/limits.sweep';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Controller, Get, Injectable } from '@nestjs/common';
import { BucketUsage } from './bucket-usage.entity.js';
import { StorageQuotas, type StorageQuota } from './storage-quotas.js';
import { UsageRepository } from './usage.repository.js';
import { UsageAnswer, usageView } from './usage.view.js';

@Controller('usage')
export class UsageController {
  constructor(private readonly usage: UsageRepository) {}

  @Get()
  @Allow('reader')
  @Operation('Show what projects and buckets come to', UsageAnswer)
  async show(@Ctx() ctx: RequestContext): Promise<object> {
    const rows = await this.usage.ofBuckets(ctx, ctx.isAdmin ? undefined : ctx.projectId);
    return usageView(rows);
  }
}

@Injectable()
export class LimitsSweep extends LimitsOfService<StorageQuota> {
  constructor(quotas: StorageQuotas) {
    super('s3', quotas, { s3_buckets: 1, s3_objects: 1, s3_bytes: 1 });
  }
}

@Feature({
  controllers: [UsageController],
  entities: [BucketUsage],
  providers: [LimitsSweep, StorageQuotas, UsageRepository, unifiedLimits],
})
export class UsageModule {}
