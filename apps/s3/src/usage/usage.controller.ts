/** What projects and their buckets come to: the platform's own, with a token instead of a signature. */
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
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
