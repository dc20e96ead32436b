import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  Param,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { resealing, SealedSecret } from '@cumulet/common/sealing/resealing';
import { shownUnder } from '@cumulet/common/http/answers';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../config.js';
import { HostStatuses } from '../hosts/host.repository.js';
import { listedUnder, pageView } from '../http/pages.js';
import { ListServers, ListServersQuery } from './list/list-servers.js';
import { CreateServerBody, UpdateServerBody } from './server.dto.js';
import {
  ServerMetadataController,
  ServerMetadataService,
} from './metadata/server-metadata.controller.js';
import { ServerCreation } from './server-creation.port.js';
import { ServerPasswordController } from './password/server-password.controller.js';
import { ServerAttributes } from './server-attributes.js';
import { Server } from './server.entity.js';
import { ServerRepository } from './server.repository.js';
import {
  ChangedServerView,
  CreateServerAnswer,
  ServerSummary,
  ServerView,
} from './server.answers.js';
import {
  changedServerView,
  createdServerView,
  listedServerView,
  serverSummaryView,
  serverView,
} from './server.view.js';
import { ServersService } from './servers.service.js';
import { ServerTagsController } from './tags/server-tags.controller.js';
import { ServerTagsService } from './tags/server-tags.service.js';
import { ServerTopologyController } from './topology/server-topology.controller.js';

@Controller('servers')
export class ServersController {
  constructor(
    private readonly servers: ServersService,
    private readonly creation: ServerCreation,
    private readonly attributes: ServerAttributes,
    private readonly listServers: ListServers,
    private readonly hostStatuses: HostStatuses,
  ) {}

  @Get()
  @Allow('reader')
  @Operation('List servers', listedUnder('servers', ServerSummary))
  async list(@Ctx() ctx: RequestContext, @Query() query: ListServersQuery): Promise<object> {
    const page = await this.listServers.page(ctx, query);
    return pageView(ctx, 'servers', page, serverSummaryView(ctx));
  }

  @Get('detail')
  @Allow('reader')
  @Operation('List servers with details', listedUnder('servers', ServerView))
  async detail(@Ctx() ctx: RequestContext, @Query() query: ListServersQuery): Promise<object> {
    const page = await this.listServers.page(ctx, query);
    const statuses = await this.hostStatuses.of(ctx);
    return pageView(ctx, 'servers', page, listedServerView(ctx, statuses));
  }

  @Get(':server_id')
  @Allow('reader')
  @Operation('Show a server', shownUnder('server', ServerView))
  async show(@Ctx() ctx: RequestContext, @Param('server_id') id: string): Promise<object> {
    const server = await this.servers.get(ctx, id);
    return { server: serverView(ctx, server, await this.hostStatuses.of(ctx)) };
  }

  @Post()
  @Allow('member')
  @Operation('Create servers', CreateServerAnswer, { status: 202, creates: true })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateServerBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const { server } = body;
    const hints = body['os:scheduler_hints'] ?? body['OS-SCH-HNT:scheduler_hints'];
    const { ids, reservationId, adminPassword } = await this.creation.create(ctx, server, hints);
    if (server.return_reservation_id) return { reservation_id: reservationId };
    const [id = ''] = ids;
    void reply.header('Location', `${ctx.baseUrl}/v2.1/servers/${id}`);
    return {
      server: createdServerView(
        ctx,
        id,
        adminPassword,
        server['OS-DCF:diskConfig'],
        server.security_groups,
      ),
    };
  }

  @Put(':server_id')
  @Allow('member')
  @Operation('Update a server', shownUnder('server', ChangedServerView), { errors: [409] })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Body() { server: given }: UpdateServerBody,
  ): Promise<object> {
    const server = await this.attributes.update(ctx, id, given);
    return { server: changedServerView(ctx, server, await this.hostStatuses.of(ctx)) };
  }

  @Delete(':server_id')
  @Header('Content-Type', 'application/json')
  @Allow('member')
  @Operation('Delete a server', null, { errors: [409] })
  async delete(@Ctx() ctx: RequestContext, @Param('server_id') id: string): Promise<void> {
    await this.servers.delete(ctx, id);
  }
}

@Feature({
  controllers: [
    ServersController,
    ServerMetadataController,
    ServerPasswordController,
    ServerTagsController,
    ServerTopologyController,
  ],
  providers: [
    ServersService,
    ServerAttributes,
    ServerMetadataService,
    ServerTagsService,
    ListServers,
    ServerRepository,
    {
      provide: Seal,
      inject: [CONFIG],
      useFactory: ({ secretKey, oldSecretKeys }: ComputeConfig) =>
        new Seal(secretKey, oldSecretKeys),
    },
    resealing(Seal, {
      prefix: 'COMPUTE',
      columns: { servers: ['admin_password'], idempotency_keys: ['answer'] },
    }),
  ],
  entities: [SealedSecret, Server],
})
export class ServersModule {}
