/** From the query of a list to a page of rows. Public source: Nova API reference, "List Servers". */
import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { hasSqlState } from '@cumulet/common/database/violations';
import { ForbiddenError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { sortKeys, type SortKey } from '@cumulet/common/http/paging';
import { MAX_PAGE } from '../http/pages.js';
import type { ListServersQuery } from './server.dto.js';
import type { Server } from './server.entity.js';
import { ServerRepository, type ServerFilter } from './server.repository.js';
import { statesOf } from './server-status.js';

const SORT_COLUMNS: Readonly<Record<string, string>> = {
  created_at: 'created_at',
  display_name: 'name',
  host: "coalesce(host, '')",
  instance_type_id: "flavor->>'id'",
  image_ref: 'image_id',
  launched_at: "coalesce(launched_at, 'epoch')",
  project_id: 'project_id',
  updated_at: 'updated_at',
  user_id: 'user_id',
  uuid: 'id',
  vm_state: 'state',
};

/** What the sort columns are in a row, to go on after a marker. */
const SORT_VALUES: Readonly<Record<string, (server: Server) => unknown>> = {
  created_at: (server) => server.createdAt,
  name: (server) => server.name,
  "coalesce(host, '')": (server) => server.host ?? '',
  "flavor->>'id'": (server) => server.flavor.id,
  image_id: (server) => server.imageId,
  "coalesce(launched_at, 'epoch')": (server) => server.launchedAt ?? new Date(0),
  project_id: (server) => server.projectId,
  updated_at: (server) => server.updatedAt,
  user_id: (server) => server.userId,
  id: (server) => server.id,
  state: (server) => server.state,
};

const NEWEST_FIRST: readonly SortKey[] = [
  { column: 'created_at', direction: 'desc' },
  { column: 'id', direction: 'desc' },
];

const INVALID_REGULAR_EXPRESSION = '2201B';

/** `\\1`: what takes Postgres from milliseconds to hours on a name of a few hundred characters. */
const BACK_REFERENCE = /(?<!\\)(?:\\\\)*\\[1-9]/;

@Injectable()
export class ListServers {
  constructor(private readonly servers: ServerRepository) {}

  async page(
    ctx: RequestContext,
    query: ListServersQuery,
  ): Promise<{ rows: Server[]; more: boolean }> {
    const limit = Math.min(query.limit ?? MAX_PAGE, MAX_PAGE);
    if (query.deleted || limit === 0) return { rows: [], more: false };
    const sort = sortOf(query);
    const marker = query.marker === undefined ? undefined : await this.#marker(ctx, query.marker);
    const filter: ServerFilter = {
      ...filtersOf(ctx, query),
      // One more than asked for tells whether there is a next page.
      limit: limit + 1,
      sort,
      after: marker && sort.map(({ column }) => SORT_VALUES[column]?.(marker)),
    };
    const rows = await this.#list(ctx, filter, query);
    return { rows: rows.slice(0, limit), more: rows.length > limit };
  }

  async #list(
    ctx: RequestContext,
    filter: ServerFilter,
    { name }: ListServersQuery,
  ): Promise<Server[]> {
    try {
      return await this.servers.list(ctx, filter);
    } catch (error) {
      if (!hasSqlState(error, INVALID_REGULAR_EXPRESSION)) throw error;
      throw new InvalidInputError(
        `Invalid input: name '${name ?? ''}' is not a valid regular expression.`,
      );
    }
  }

  async #marker(ctx: RequestContext, id: string): Promise<Server> {
    const marker = isUuid(id) ? await this.servers.find(ctx, id) : undefined;
    if (!marker) throw new InvalidInputError(`Invalid input: marker [${id}] not found.`);
    return marker;
  }
}

function sortOf({ sort_key, sort_dir }: ListServersQuery): SortKey[] {
  const keys = sort_key === undefined ? [] : [sort_key].flat();
  const directions = sort_dir === undefined ? [] : [sort_dir].flat();
  const asked = keys.map((key, at) => ({
    key,
    direction: directions[at] === 'asc' ? ('asc' as const) : ('desc' as const),
  }));
  return sortKeys(asked, SORT_COLUMNS, NEWEST_FIRST, 'id');
}

function filtersOf(
  ctx: RequestContext,
  query: ListServersQuery,
): Omit<ServerFilter, 'limit' | 'sort'> {
  const allProjects = query.all_tenants ?? false;
  if (allProjects && !ctx.isAdmin) {
    throw new ForbiddenError(
      'Listing the servers of all projects (all_tenants) needs the role admin.',
    );
  }
  return {
    allProjects,
    projectId: query.project_id ?? query.tenant_id,
    // A status that no server can have finds none, as in Nova.
    states: query.status === undefined ? undefined : statesOf(query.status),
    name: query.name === '' ? undefined : expressionOf(query.name),
    flavorId: query.flavor?.split('/').at(-1),
    imageId: query.image?.split('/').at(-1),
    // Where a server runs is the operator's business: Nova drops these filters for others.
    host: ctx.isAdmin ? query.host : undefined,
    userId: ctx.isAdmin ? query.user_id : undefined,
    id: query.uuid,
    reservationId: query.reservation_id,
    changesSince: timeOf(query['changes-since']),
    changesBefore: timeOf(query['changes-before']),
    tags: query.tags?.split(','),
  };
}

/** @throws InvalidInputError for an expression that could keep the database busy for hours */
function expressionOf(name: string | undefined): string | undefined {
  if (name !== undefined && BACK_REFERENCE.test(name)) {
    throw new InvalidInputError(
      `Invalid input: name '${name}' refers back to a group, which is not supported.`,
    );
  }
  return name;
}

function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
