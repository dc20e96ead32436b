import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { ServersService } from '../servers.service.js';
import { ServerDiagnostics } from './server-diagnostics.answers.js';
import { ServerDiagnosticsService } from './server-diagnostics.service.js';

/** Public source: Nova API reference, "Servers diagnostics (servers, diagnostics)". */
@ApiTags('servers')
@Controller('servers/:server_id/diagnostics')
export class ServerDiagnosticsController {
  constructor(
    private readonly servers: ServersService,
    private readonly diagnostics: ServerDiagnosticsService,
  ) {}

  @Get()
  @Allow('admin')
  @Operation('Show the diagnostics of a server', ServerDiagnostics, {
    errors: [409],
    description:
      'Until 2.47 the answer is one flat object, whose names have those of devices in them.',
  })
  async show(@Ctx() ctx: RequestContext, @Param('server_id') id: string): Promise<object> {
    return this.diagnostics.read(ctx, await this.servers.get(ctx, id));
  }
}

@Feature({
  controllers: [ServerDiagnosticsController],
  providers: [ServerDiagnosticsService],
})
export class ServerDiagnosticsModule {}
