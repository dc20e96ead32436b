import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { StringField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { viewIn } from '@cumulet/common/http/shown';
import { AbsoluteLimits, LimitsAnswer } from './limits.answers.js';
import { QuotaSetsService } from './quota-sets.service.js';

class LimitsQuery {
  @StringField({ optional: true, description: 'Whose; for administrators.' })
  tenant_id?: string;

  @StringField({ optional: true, description: 'Of no effect.' })
  reserved?: string;
}

/** Public source: Nova API reference, "Limits (limits)". */
@ApiTags('quota sets')
@Controller('limits')
export class LimitsController {
  constructor(private readonly quotaSets: QuotaSetsService) {}

  @Get()
  @Allow('reader')
  @Operation('Show limits and what is in use', LimitsAnswer)
  async show(
    @Ctx() ctx: RequestContext,
    @Query() { tenant_id: asked }: LimitsQuery,
  ): Promise<object> {
    const id = asked ?? ctx.projectId;
    if (id !== ctx.projectId && !ctx.isAdmin)
      throw new ForbiddenError(
        "Policy doesn't allow os_compute_api:limits:other_project to be performed.",
      );
    const usage = await this.quotaSets.detail(ctx, id);
    return { limits: { rate: [], absolute: viewIn(ctx, AbsoluteLimits)(usage) } };
  }
}
