import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { nextPageUrl } from '@cumulet/common/http/paging';
import { Feature } from '@cumulet/common/service/feature';
import { versionOf } from '../versions/microversions.js';
import { LiveMigrationsController } from './live-migrations.controller.js';
import { MigrationList } from './server-migration.answers.js';
import { ListMigrationsQuery } from './server-migration.dto.js';
import { LeftoverGuest } from './leftover-guest.entity.js';
import { ServerMigration } from './server-migration.entity.js';
import { migrationView } from './server-migration.view.js';
import { ServerMigrationsService } from './server-migrations.service.js';

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
    const next = last && ctx.baseUrl + nextPageUrl(ctx.fields.requestUrl ?? '', last.uuid);
    return {
      migrations: rows.map((row) => migrationView(ctx, row)),
      ...(next === undefined ? {} : { migrations_links: [{ rel: 'next', href: next }] }),
    };
  }
}

@Feature({
  controllers: [ServerMigrationsController, LiveMigrationsController],
  providers: [ServerMigrationsService],
  entities: [LeftoverGuest, ServerMigration],
})
export class ServerMigrationsModule {}
