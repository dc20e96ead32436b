import { Controller, Get, Query, Body, Delete, Header, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { shownUnder } from '@cumulet/common/http/answers';
import { Operation } from '@cumulet/common/http/operation';
import { viewIn } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { versionOf, OfVersions } from '../versions/microversions.js';
import { nextLink } from '../http/pages.js';
import { zonelessTime } from '../http/times.js';
import type { Server } from '../servers/server.entity.js';
import { requireUnlocked, statusOf } from '../servers/server-status.js';
import { ServersService } from '../servers/servers.service.js';
import { LeftoverGuest } from './leftover-guests.js';
import {
  ForceCompleteBody,
  ListMigrationsQuery,
  MigrationList,
  MigrationView,
  ServerMigration,
  ServerMigrationList,
  ServerMigrationView,
} from './server-migration.resource.js';
import { ServerMigrationsService } from './server-migrations.service.js';
import { NotMigratingError } from './server-migration.errors.js';

@ApiTags('migrations')
@Controller('os-migrations')
export class ServerMigrationsController {
  constructor(private readonly migrations: ServerMigrationsService) {}

  @Get()
  @Allow('admin')
  @Operation('List migrations', MigrationList)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListMigrationsQuery): Promise<object> {
    const { rows, more } = await this.migrations.page(ctx, query);
    const last = more && versionOf(ctx).atLeast(59) ? rows.at(-1) : undefined;
    return {
      migrations: rows.map(viewIn(ctx, MigrationView, zonelessTime)),
      ...nextLink(ctx, 'migrations_links', last?.uuid),
    };
  }
}

/** Public source: Nova API reference, "Server migrations (servers, migrations)". */
@ApiTags('migrations')
@Controller('servers/:server_id/migrations')
export class LiveMigrationsController {
  constructor(
    private readonly servers: ServersService,
    private readonly migrations: ServerMigrationsService,
  ) {}

  @Get()
  @OfVersions({ since: 23 })
  @Allow('admin')
  @Operation("List a server's live migrations that go on", ServerMigrationList)
  async list(@Ctx() ctx: RequestContext, @Param('server_id') id: string): Promise<object> {
    const rows = await this.migrations.liveOf(ctx, await this.servers.get(ctx, id));
    return { migrations: rows.map(viewIn(ctx, ServerMigrationView, zonelessTime)) };
  }

  @Get(':migration_id')
  @OfVersions({ since: 23 })
  @Allow('admin')
  @Operation('Show a live migration that goes on', shownUnder('migration', ServerMigrationView))
  async show(
    @Ctx() ctx: RequestContext,
    @Param('server_id') serverId: string,
    @Param('migration_id') id: string,
  ): Promise<object> {
    const server = await this.servers.get(ctx, serverId);
    const migration = await this.migrations.live(ctx, server, id);
    return { migration: viewIn(ctx, ServerMigrationView, zonelessTime)(migration) };
  }

  @Post(':migration_id/action')
  @OfVersions({ since: 22 })
  @Allow('admin')
  @Operation('Force a live migration to its end', null, {
    status: 202,
    creates: false,
    errors: [404, 409],
  })
  async force(
    @Ctx() ctx: RequestContext,
    @Param('server_id') serverId: string,
    @Param('migration_id') _id: string,
    @Body() _body: ForceCompleteBody,
  ): Promise<void> {
    this.#requireMigrating(ctx, await this.servers.get(ctx, serverId), 'force_complete');
  }

  @Delete(':migration_id')
  @Header('Content-Type', 'application/json')
  @OfVersions({ since: 24 })
  @Allow('admin')
  @Operation('Abort a live migration', null, { status: 202, errors: [409] })
  async abort(
    @Ctx() ctx: RequestContext,
    @Param('server_id') serverId: string,
    @Param('migration_id') _id: string,
  ): Promise<void> {
    this.#requireMigrating(ctx, await this.servers.get(ctx, serverId), 'abort live migration');
  }

  /** @throws NotMigratingError in every state: live migration is not supported */
  #requireMigrating(ctx: RequestContext, server: Server, action: string): void {
    requireUnlocked(ctx, server);
    if (statusOf(server).taskState !== 'migrating') throw new NotMigratingError(action, server.id);
  }
}

@Feature({
  controllers: [ServerMigrationsController, LiveMigrationsController],
  providers: [ServerMigrationsService],
  entities: [LeftoverGuest, ServerMigration],
})
export class ServerMigrationsModule {}
