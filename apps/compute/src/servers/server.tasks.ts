import { nudge, nudgeAll } from '@cumulet/common/jobs/nudge';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Server } from './server.entity.js';

/** Work on servers without a host, which any worker may take. */
export const UNPLACED = 'server';

/** Work on a host's servers, which only that host's worker takes. */
export function taskOfHost(host: string): string {
  return `server@${host}`;
}

export function taskOfServer({ host }: Pick<Server, 'host'>): string {
  return host === null ? UNPLACED : taskOfHost(host);
}

/** By one statement. */
export function nudgeServers(
  ctx: RequestContext,
  servers: readonly Pick<Server, 'id' | 'host'>[],
): Promise<void> {
  return nudgeAll(
    ctx,
    servers.map((server) => ({ task: taskOfServer(server), resource: 'server', id: server.id })),
  );
}

export function nudgeServer(
  ctx: RequestContext,
  server: Pick<Server, 'id' | 'host'>,
): Promise<void> {
  return nudge(ctx, { task: taskOfServer(server), resource: 'server', id: server.id });
}

/** For a server whose host cannot work on it: any worker takes it. */
export function nudgeUnplaced(ctx: RequestContext, { id }: Pick<Server, 'id'>): Promise<void> {
  return nudge(ctx, { task: UNPLACED, resource: 'server', id });
}
