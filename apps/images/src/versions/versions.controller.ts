import { Public } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Controller, Get, HttpCode } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { versionsView, type VersionsView } from './version.view.js';

/** Public source: Image API reference, "API versions". */
@ApiTags('versions')
@Controller()
export class VersionsController {
  @Get()
  @HttpCode(300)
  @Public()
  choices(@Ctx() ctx: RequestContext): VersionsView {
    return versionsView(ctx.baseUrl);
  }

  /** Also where a client asks that was given the address of version 2 as the service's. */
  @Get(['versions', 'v2'])
  @Public()
  list(@Ctx() ctx: RequestContext): VersionsView {
    return versionsView(ctx.baseUrl);
  }
}
