/** All SQL of the servers table. */
import { Injectable } from '@nestjs/common';
import { reachable } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { equals } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { Server, type ServerId } from './server.entity.js';
import { ServerNotFoundError } from './server.errors.js';
import type { ServerState } from './server.states.js';

/** A new server's columns; the omitted ones have defaults. */
export type NewServer = Omit<
  Server,
  | 'guestPassword'
  | ('triedHosts' | 'zone' | 'groupId')
  | 'host'
  | 'previousState'
  | 'snapshot'
  | 'stateReason'
  | 'generation'
  | 'rescueImage'
  | 'returnsTo'
  | 'guestOff'
  | 'lockedBy'
  | 'lockedReason'
  | 'launchedAt'
  | 'addresses'
  | 'securityGroups'
  | 'createdAt'
  | 'updatedAt'
>;

export interface HostLoad {
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
  readonly servers: number;
  /** Servers with a task in progress. */
  readonly working: number;
}

@Injectable()
export class ServerRepository extends Table<Server> {
  constructor() {
    super(Server, {
      missing: (id) => new ServerNotFoundError(id as string),
      missingMarker: (id) =>
        new InvalidInputError(`Invalid input: marker [${id as string}] not found.`),
      touched: 'updatedAt',
    });
  }

  visible(ctx: RequestContext, id: string): Promise<Server | undefined> {
    return this.find(ctx, id, reachable(ctx));
  }

  /** Releases the room; the row keeps its reason. */
  async clearHost(ctx: RequestContext, id: ServerId): Promise<void> {
    await ctx.manager.query('UPDATE servers SET host = NULL WHERE id = $1', [id]);
  }

  async setLock(
    ctx: RequestContext,
    id: ServerId,
    { lockedBy, lockedReason }: Pick<Server, 'lockedBy' | 'lockedReason'>,
  ): Promise<void> {
    await ctx.manager.query(
      'UPDATE servers SET locked_by = $2, locked_reason = $3, updated_at = now() WHERE id = $1',
      [id, lockedBy, lockedReason],
    );
  }

  /** At the guest's first start, which has delivered its password. */
  async setLaunched(ctx: RequestContext, id: ServerId): Promise<void> {
    await ctx.manager.query(
      `UPDATE servers SET launched_at = coalesce(launched_at, now()), admin_password = NULL, updated_at = now()
        WHERE id = $1`,
      [id],
    );
  }

  /** Stores a guest's password once. @returns whether it was stored */
  async keepPassword(ctx: RequestContext, id: ServerId, password: string): Promise<boolean> {
    const [rows]: [unknown[], number] = await ctx.manager.query(
      `UPDATE servers SET guest_password = $2, updated_at = now()
        WHERE id = $1 AND coalesce(guest_password, '') = '' RETURNING id`,
      [id, password],
    );
    return rows.length > 0;
  }

  /** For the agent's comparison with its guests. */
  onHost(ctx: RequestContext, host: string): Promise<Server[]> {
    return this.select(ctx, [equals('host', host)]);
  }

  /** Oldest first. */
  inStateFor(
    ctx: RequestContext,
    state: ServerState,
    seconds: number,
    most: number,
  ): Promise<Server[]> {
    const since = new Date(Date.now() - seconds * 1_000);
    return this.select(
      ctx,
      [equals('state', state), (bind) => `state_since <= ${bind(since)}`],
      `ORDER BY state_since LIMIT ${most}`,
    );
  }

  /** Oldest first. */
  namedOnHosts(
    ctx: RequestContext,
    hosts: readonly string[],
  ): Promise<{ host: string; name: string; uuid: string }[]> {
    return ctx.manager.query(
      'SELECT host, name, id AS uuid FROM servers WHERE host = ANY($1::text[]) ORDER BY created_at, id',
      [hosts],
    );
  }

  /** Sums of the servers on each of these hosts, by one statement. */
  async loadsOf(
    ctx: RequestContext,
    hosts: readonly string[],
  ): Promise<ReadonlyMap<string, HostLoad>> {
    const rows: (HostLoad & { readonly host: string })[] = await ctx.manager.query(
      `SELECT host, coalesce(used.vcpus, 0)::int AS vcpus,
              coalesce(used.memory_mb, 0)::int AS "memoryMb",
              coalesce(used.disk_gb, 0)::int AS "diskGb",
              coalesce(servers.number, 0)::int AS servers,
              coalesce(servers.working, 0)::int AS working
         FROM unnest($1::text[]) AS host
              LEFT JOIN host_usage AS used USING (host)
              LEFT JOIN LATERAL (
                SELECT count(*) AS number, count(state_deadline) AS working
                  FROM servers WHERE servers.host = host.host) AS servers ON true`,
      [hosts],
    );
    return new Map(rows.map(({ host, ...load }) => [host, load]));
  }

  /** Null without a host. @returns by ID, in lower case and without dashes */
  async hostsOf(
    ctx: RequestContext,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string | null>> {
    const rows: { id: string; host: string | null }[] = await ctx.manager.query(
      `SELECT replace(id::text, '-', '') AS id, host FROM servers WHERE id = ANY($1::uuid[])`,
      [ids],
    );
    return new Map(rows.map(({ id, host }) => [id, host]));
  }

  async placedAmong(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows: { id: string }[] = await ctx.manager.query(
      'SELECT id FROM servers WHERE id = ANY($1::uuid[]) AND host IS NOT NULL',
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
