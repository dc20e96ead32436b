import { Controller, Get, Param, Inject, Injectable, Optional } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../../config.js';
import { HostRelay } from '../../hosts/host-relay.js';
import { type HypervisorDriver, HYPERVISOR } from '../../hypervisor/hypervisor-driver.js';
import { versionOf } from '../../versions/microversions.js';
import { ServersService } from '../servers.service.js';
import { onHypervisor } from '../server.errors.js';
import type { Server } from '../server.entity.js';
import { conflictOf } from '../server-status.js';
import {
  ServerDiagnostics,
  diagnosticsView,
  flatDiagnosticsView,
} from './server-diagnostics.view.js';

/** Statistics of a server's machine, which only its own host can read. */
@Injectable()
export class ServerDiagnosticsService {
  constructor(
    @Inject(CONFIG) private readonly config: ComputeConfig,
    private readonly relay: HostRelay,
    // Absent from processes that only answer requests.
    @Optional() @Inject(HYPERVISOR) private readonly hypervisor?: HypervisorDriver,
  ) {}

  /** @throws ServerStateConflictError if the guest does not run */
  async read(ctx: RequestContext, server: Server): Promise<object> {
    const { id, host, state } = server;
    if (state !== 'active' || host === null)
      throw conflictOf('get_diagnostics', server, ['active']);
    if (this.hypervisor && host === this.config.host) {
      const { machines, host: here } = this.hypervisor;
      const statistics = await onHypervisor(machines.diagnostics(id));
      return versionOf(ctx).atLeast(48)
        ? diagnosticsView(server, statistics, await here.describe())
        : flatDiagnosticsView(server, statistics);
    }
    const path = `/servers/${id}/diagnostics`;
    return (await this.relay.ask(ctx, { id, host }, { method: 'GET', path })) as object;
  }
}

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
      'Until 2.47 the answer is a flat object whose property names include the names of devices.',
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
