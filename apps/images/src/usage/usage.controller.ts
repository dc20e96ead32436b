import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ImageQuotas } from '../images/image-quotas.js';
import { usageView, type UsageView } from './usage.view.js';

/** Public source: Image API reference, "Quota usage". */
@ApiTags('discovery')
@Controller('v2/info/usage')
export class UsageController {
  constructor(private readonly quotas: ImageQuotas) {}

  @Get()
  @Allow('reader')
  async show(@Ctx() ctx: RequestContext): Promise<UsageView> {
    return usageView(await this.quotas.usage(ctx), this.quotas.limits);
  }
}
