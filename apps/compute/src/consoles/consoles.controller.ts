import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError, RouteNotFoundError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../config.js';
import { HostRepository } from '../hosts/host.repository.js';
import { ServersService } from '../servers/servers.service.js';
import { refuseBefore, versionOf } from '../versions/microversions.js';
import { ConsoleToken } from './console-token.repository.js';
import { ConsoleTokens } from './console-token.repository.js';
import { ConsoleTokenNotFoundError } from './console.errors.js';
import { ConsoleConnectionAnswer, CreateConsoleBody, RemoteConsoleAnswer } from './console.dto.js';
import { ConsolePagesController } from './console-pages.controller.js';
import { ConsoleStreams } from './console-streams.js';
import { CONSOLES_PATH, RemoteConsoles } from './remote-consoles.js';

@Controller()
export class ConsolesController {
  constructor(
    private readonly servers: ServersService,
    private readonly consoles: RemoteConsoles,
    private readonly tokens: ConsoleTokens,
    private readonly hosts: HostRepository,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {}

  @Post('servers/:server_id/remote-consoles')
  @Allow('member')
  @Operation('Create a console', RemoteConsoleAnswer, {
    status: 200,
    creates: false,
    errors: [409],
    description:
      'Since 2.6. QEMU has `novnc` and `serial`; what hypervisors of other clouds have is refused.',
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Body() { remote_console }: CreateConsoleBody,
  ): Promise<object> {
    const { protocol, type } = remote_console;
    if (!versionOf(ctx).atLeast(6))
      throw new RouteNotFoundError('POST', `/servers/${id}/remote-consoles`);
    if (protocol === 'mks' || type === 'webmks') refuseBefore(ctx, 8, 'remote_console of mks');
    if (type === 'spice-direct') refuseBefore(ctx, 99, 'remote_console.type spice-direct');
    const server = await this.servers.get(ctx, id);
    const url = await this.consoles.offer(ctx, server, remote_console);
    return { remote_console: { protocol, type, url } };
  }

  @Get('os-console-auth-tokens/:console_token')
  @Allow('admin')
  @Operation('Show the connection of a console', ConsoleConnectionAnswer)
  async show(@Ctx() ctx: RequestContext, @Param('console_token') token: string): Promise<object> {
    if (!versionOf(ctx).atLeast(31))
      throw new InvalidInputError('Only consoles of the type rdp-html5 were shown before 2.31.');
    const row = await this.tokens.find(ctx, token);
    const server = row && (await this.servers.get(ctx, row.serverId));
    if (!row || !server?.host) throw new ConsoleTokenNotFoundError();
    const host = await this.hosts.find(ctx, server.host);
    const address = new URL(host?.apiUrl ?? `http://${server.host}:${this.config.port}`);
    return {
      console: {
        instance_uuid: server.id,
        host: address.hostname,
        port: Number(address.port || (address.protocol === 'https:' ? 443 : 80)),
        internal_access_path: `${address.pathname.replace(/\/$/, '')}${CONSOLES_PATH}/${row.type}`,
        ...(versionOf(ctx).atLeast(99) ? { tls_port: null } : {}),
      },
    };
  }
}

@Feature({
  controllers: [ConsolesController, ConsolePagesController],
  providers: [ConsoleTokens, RemoteConsoles, ConsoleStreams],
  entities: [ConsoleToken],
})
export class ConsolesModule {}
