import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { filtersOf } from '@cumulet/common/tables/listing';
import { pageOfQuery, type Page } from '@cumulet/common/tables/page';
import { Table, type PageOfRows } from '@cumulet/common/tables/table';
import { MAX_PAGE } from '../http/pages.js';
import type { Server } from '../servers/server.entity.js';
import { refuseBefore, versionOf } from '../versions/microversions.js';
import { atEitherEnd, ListMigrationsQuery } from './server-migration.dto.js';
import { ServerMigration } from './server-migration.entity.js';
import { MigrationMarkerNotFoundError, NoLiveMigrationError } from './server-migration.errors.js';
import { LIVE_STATUSES } from './server-migration.view.js';

const migrations = new Table(ServerMigration, {
  missing: (key) => new MigrationMarkerNotFoundError((key as Partial<ServerMigration>).uuid ?? ''),
});

@Injectable()
export class ServerMigrationsService {
  /**
   * Newest first since 2.59, which brought pages; before, all of them as they came.
   * @throws InvalidInputError for an unknown marker, or times the wrong way round
   */
  page(ctx: RequestContext, query: ListMigrationsQuery): Promise<PageOfRows<ServerMigration>> {
    return migrations.list(ctx, pageFor(ctx, query));
  }

  /** The server's live migrations that go on. */
  liveOf(ctx: RequestContext, { id }: Pick<Server, 'id'>): Promise<ServerMigration[]> {
    const where = [equals('serverId', id), equals('type', 'live-migration')];
    return migrations.select(ctx, [...where, oneOf('status', LIVE_STATUSES)], 'ORDER BY id');
  }

  /** @throws NoLiveMigrationError in Nova's words, for one that is none or is over */
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
    // Postgres counts no further.
    if (!/^\d{1,9}$/.test(id)) return undefined;
    return migrations.find(ctx, { id: Number(id), serverId });
  }
}

function pageFor(ctx: RequestContext, query: ListMigrationsQuery): Page<ServerMigration> {
  const version = versionOf(ctx);
  const { 'changes-since': since, 'changes-before': before, ...others } = query;
  const ends = query.host === undefined ? {} : { branches: atEitherEnd(query.host) };
  if (!version.atLeast(59)) {
    const where = filtersOf(Object.assign(new ListMigrationsQuery(), others));
    return { where, ...ends, sort: [{ by: 'id', descending: false }] };
  }
  if (before !== undefined) refuseBefore(ctx, 66, 'changes-before');
  for (const name of ['user_id', 'project_id'] as const)
    if (query[name] !== undefined) refuseBefore(ctx, 80, name);
  if (since !== undefined && before !== undefined && Date.parse(before) < Date.parse(since))
    throw new InvalidInputError(
      'The value of changes-since must be less than or equal to changes-before.',
    );
  const page = pageOfQuery<ServerMigration>(query, MAX_PAGE);
  return {
    ...page,
    ...ends,
    marker: query.marker === undefined ? undefined : { uuid: query.marker },
  };
}
