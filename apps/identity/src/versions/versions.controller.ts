import { Controller, Get, HttpCode } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { versionView } from './version.view.js';

@ApiTags('versions')
@Controller()
export class VersionsController {
  @Get()
  @Public()
  @HttpCode(300)
  list(@Ctx() ctx: RequestContext): object {
    return { versions: { values: [versionView(ctx.baseUrl)] } };
  }

  @Get('v3')
  @Public()
  show(@Ctx() ctx: RequestContext): object {
    return { version: versionView(ctx.baseUrl) };
  }
}

@Feature({
  controllers: [VersionsController],
})
export class VersionsModule {}
