/** All SQL of the servers table. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { pageClause, type SortKey } from '@cumulet/common/http/paging';
import { Server, type ServerId } from './server.entity.js';
import type { ServerState } from './server.states.js';

export type NewServer = Omit<
  Server,
  'host' | 'previousState' | 'stateReason' | 'generation' | 'launchedAt' | 'createdAt' | 'updatedAt'
>;

export interface ServerFilter {
  readonly allProjects: boolean;
  readonly projectId?: string | undefined;
  readonly states?: readonly ServerState[] | undefined;
  /** A regular expression, as Nova's `name` is. */
  readonly name?: string | undefined;
  readonly flavorId?: string | undefined;
  readonly imageId?: string | undefined;
  readonly host?: string | undefined;
  readonly userId?: string | undefined;
  readonly id?: string | undefined;
  readonly reservationId?: string | undefined;
  readonly changesSince?: Date | undefined;
  readonly changesBefore?: Date | undefined;
  /** All of these tags. */
  readonly tags?: readonly string[] | undefined;
  readonly limit: number;
  readonly sort: readonly SortKey[];
  /** The values of the sort keys in the marker's row. */
  readonly after?: readonly unknown[] | undefined;
}

@Injectable()
export class ServerRepository {
  /** A server that the caller may see: its project's, or any for an admin. */
  find(ctx: RequestContext, id: string): Promise<Server | undefined> {
    if (ctx.isAdmin) return this.findAny(ctx, id);
    return selectRow(ctx.manager, Server, 'WHERE id = $1 AND project_id = $2', [id, ctx.projectId]);
  }

  /** For workers, which know no project. */
  findAny(ctx: RequestContext, id: string): Promise<Server | undefined> {
    return selectRow(ctx.manager, Server, 'WHERE id = $1', [id]);
  }

  list(ctx: RequestContext, filter: ServerFilter): Promise<Server[]> {
    const params: unknown[] = [];
    const where: string[] = [];
    const add = (sql: (parameter: string) => string, value: unknown): void => {
      if (value === undefined) return;
      params.push(value);
      where.push(sql(`$${params.length}`));
    };
    add((p) => `project_id = ${p}`, filter.allProjects ? filter.projectId : ctx.projectId);
    add((p) => `state = ANY(${p})`, filter.states);
    add((p) => `name ~ ${p}`, filter.name);
    add((p) => `flavor->>'id' = ${p}`, filter.flavorId);
    add((p) => `image_id::text = ${p}`, filter.imageId);
    add((p) => `host = ${p}`, filter.host);
    add((p) => `user_id = ${p}`, filter.userId);
    add((p) => `id::text = ${p}`, filter.id);
    add((p) => `reservation_id = ${p}`, filter.reservationId);
    add((p) => `greatest(updated_at, state_since) >= ${p}`, filter.changesSince);
    add((p) => `greatest(updated_at, state_since) <= ${p}`, filter.changesBefore);
    add((p) => `tags @> ${p}::text[]`, filter.tags);
    const page = pageClause(filter, params.length + 1);
    const conditions = [...where, page.condition].join(' AND ');
    return selectRows(ctx.manager, Server, `WHERE ${conditions} ${page.order}`, [
      ...params,
      ...page.params,
    ]);
  }

  async insert(ctx: RequestContext, servers: readonly NewServer[]): Promise<void> {
    await ctx.manager.insert(Server, servers as Server[]);
  }

  /** Claims room on a host, in the transaction that locked it. */
  async setHost(ctx: RequestContext, id: ServerId, host: string): Promise<void> {
    await ctx.manager.query('UPDATE servers SET host = $2, updated_at = now() WHERE id = $1', [
      id,
      host,
    ]);
  }

  /** Gives the room back; the row keeps its reason to show. */
  async clearHost(ctx: RequestContext, id: ServerId): Promise<void> {
    await ctx.manager.query('UPDATE servers SET host = NULL WHERE id = $1', [id]);
  }

  /** The guest runs for the first time: its password has been handed over. */
  async setLaunched(ctx: RequestContext, id: ServerId): Promise<void> {
    await ctx.manager.query(
      `UPDATE servers SET launched_at = coalesce(launched_at, now()), admin_password = NULL, updated_at = now()
        WHERE id = $1`,
      [id],
    );
  }

  async remove(ctx: RequestContext, id: ServerId): Promise<void> {
    await ctx.manager.query('DELETE FROM servers WHERE id = $1', [id]);
  }

  /** Every server that has a place on this host, for the agent's comparison with what runs there. */
  onHost(ctx: RequestContext, host: string): Promise<Server[]> {
    return selectRows(ctx.manager, Server, 'WHERE host = $1', [host]);
  }

  /** Those of the ids that are servers with a place on some host. */
  async placedAmong(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows: { id: string }[] = await ctx.manager.query(
      'SELECT id FROM servers WHERE id = ANY($1::uuid[]) AND host IS NOT NULL',
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** The project's usage, for quotas. */
  async usage(ctx: RequestContext): Promise<Record<'instances' | 'cores' | 'ram', number>> {
    const rows: Record<'instances' | 'cores' | 'ram', number>[] = await ctx.manager.query(
      `SELECT count(*)::int AS instances, coalesce(sum(vcpus), 0)::int AS cores,
              coalesce(sum(memory_mb), 0)::int AS ram
         FROM servers WHERE project_id = $1`,
      [ctx.projectId],
    );
    return rows[0] ?? { instances: 0, cores: 0, ram: 0 };
  }
}
