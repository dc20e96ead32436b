import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { filtersOf } from '@cumulet/common/tables/listing';
import { pageOfQuery, type Page } from '@cumulet/common/tables/page';
import { Table, type PageOfRows } from '@cumulet/common/tables/table';
import { MAX_PAGE } from '../http/pages.js';
import type { Server } from '../servers/server.entity.js';
import { checkChanges } from '../versions/changes-query.js';
import { refuseBefore, versionOf } from '../versions/microversions.js';
import {
  atEitherEnd,
  ListMigrationsQuery,
  LIVE_STATUSES,
  ServerMigration,
} from './server-migration.resource.js';
import { MigrationMarkerNotFoundError, NoLiveMigrationError } from './server-migration.errors.js';

const migrations = new Table(ServerMigration, {
  missing: (key) => new MigrationMarkerNotFoundError((key as Partial<ServerMigration>).uuid ?? ''),
});

@Injectable()
export class ServerMigrationsService {
  /** Newest first since 2.59, which brought pages. @throws InvalidInputError */
  page(ctx: RequestContext, query: ListMigrationsQuery): Promise<PageOfRows<ServerMigration>> {
    return migrations.list(ctx, pageFor(ctx, query));
  }

  /** Live migrations in progress. */
  liveOf(ctx: RequestContext, { id }: Pick<Server, 'id'>): Promise<ServerMigration[]> {
    const where = [equals('serverId', id), equals('type', 'live-migration')];
    return migrations.select(ctx, [...where, oneOf('status', LIVE_STATUSES)], 'ORDER BY id');
  }

  /** @throws NoLiveMigrationError in Nova's words, unless it is live and in progress */
  async live(
    ctx: RequestContext,
    { id: serverId }: Pick<Server, 'id'>,
    id: string,
  ): Promise<ServerMigration> {
    const found = await this.find(ctx, { id: serverId }, id);
    if (!found)
      throw new NoLiveMigrationError(
        `In-progress live migration ${id.slice(0, 255)} is not found for server ${serverId}.`,
      );
    if (found.type !== 'live-migration')
      throw new NoLiveMigrationError(
        `Migration ${id} for server ${serverId} is not live-migration.`,
      );
    if (!LIVE_STATUSES.includes(found.status))
      throw new NoLiveMigrationError(
        `Live migration ${id} for server ${serverId} is not in progress.`,
      );
    return found;
  }

  async find(
    ctx: RequestContext,
    { id: serverId }: Pick<Server, 'id'>,
    id: string,
  ): Promise<ServerMigration | undefined> {
    // Larger numbers overflow in Postgres.
    if (!/^\d{1,9}$/.test(id)) return undefined;
    return migrations.find(ctx, { id: Number(id), serverId });
  }
}

function pageFor(ctx: RequestContext, query: ListMigrationsQuery): Page<ServerMigration> {
  const version = versionOf(ctx);
  const ends = query.host === undefined ? {} : { branches: atEitherEnd(query.host) };
  if (!version.atLeast(59)) {
    const { 'changes-since': _since, 'changes-before': _before, ...others } = query;
    const where = filtersOf(Object.assign(new ListMigrationsQuery(), others));
    return { where, ...ends, sort: [{ by: 'id', descending: false }] };
  }
  checkChanges(ctx, query);
  for (const name of ['user_id', 'project_id'] as const)
    if (query[name] !== undefined) refuseBefore(ctx, 80, name);
  const page = pageOfQuery<ServerMigration>(query, MAX_PAGE);
  return {
    ...page,
    ...ends,
    marker: query.marker === undefined ? undefined : { uuid: query.marker },
  };
}
