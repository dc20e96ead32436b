/** Servers as answers show them. Public source: Nova API reference, "Servers (servers)". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { viewIn } from '@cumulet/common/http/shown';
import { linksOf } from '../http/pages.js';
import { versionOf } from '../versions/microversions.js';
import { plainAddressesView } from './addresses/addresses.view.js';
import { statusOf } from './server-status.js';
import { ServerSummary, ServerView, SHOWN_LATER, type Seen } from './server.answers.js';
import type { DiskConfig, Server } from './server.entity.js';

type View = Record<string, unknown>;
type Statuses = ReadonlyMap<string, string>;

export function serverSummaryView(ctx: RequestContext): (server: Server) => object {
  const view = viewIn<Pick<Seen, 'server'>, object>(ctx, ServerSummary);
  return (server) => view({ server });
}

/** @param hostStatuses by host, for callers who may know; see HostStatuses */
function serverViews(
  ctx: RequestContext,
  hostStatuses: Statuses,
  isListed: boolean,
): (server: Server) => View {
  const view = viewIn<Seen, object>(ctx, ServerView);
  const { isAdmin } = ctx;
  return (server) => {
    // Named one by one, since V8 is far slower at adding properties to a copy.
    const { status, vmState, taskState, powerState } = statusOf(server);
    const hostStatus = hostStatuses.get(server.host ?? '') ?? '';
    const seen = { status, vmState, taskState, powerState, server, isAdmin, hostStatus, isListed };
    return view(seen) as View;
  };
}

export function serverView(ctx: RequestContext, server: Server, hostStatuses: Statuses): View {
  return serverViews(ctx, hostStatuses, false)(server);
}

/** A server in a list with details, which leaves out its group. */
export function listedServerView(
  ctx: RequestContext,
  hostStatuses: Statuses,
): (server: Server) => object {
  return serverViews(ctx, hostStatuses, true);
}

/** The answer to an update or a rebuild, which shows all of a server since 2.75 alone. */
export function changedServerView(
  ctx: RequestContext,
  server: Server,
  hostStatuses: Statuses,
): View {
  const whole = serverView(ctx, server, hostStatuses);
  if (versionOf(ctx).atLeast(75)) return whole;
  const kept = Object.entries(whole).filter(([name]) => !SHOWN_LATER.test(name));
  return { ...Object.fromEntries(kept), addresses: plainAddressesView(server) };
}

/** The answer to a rebuild: it may have changed the key pair since 2.54, and user data since 2.57. */
export function rebuiltServerView(
  ctx: RequestContext,
  server: Server,
  hostStatuses: Statuses,
  password: string,
): object {
  const version = versionOf(ctx);
  // Administrators get the user data once.
  const { 'OS-EXT-SRV-ATTR:user_data': _, ...changed } = changedServerView(
    ctx,
    server,
    hostStatuses,
  );
  return {
    ...changed,
    ...(version.atLeast(54) ? { key_name: server.keypair?.name ?? null } : {}),
    ...(version.atLeast(57) ? { user_data: server.userData } : {}),
    adminPass: password,
  };
}

/** The answer to a create: the only one that shows the password. */
export function createdServerView(
  ctx: RequestContext,
  id: string,
  password: string,
  diskConfig: DiskConfig = 'MANUAL',
  groups: readonly { readonly name: string }[] = [{ name: 'default' }],
): object {
  return {
    id,
    links: linksOf('servers', { id }, ctx),
    'OS-DCF:diskConfig': diskConfig,
    security_groups: groups.map(({ name }) => ({ name })),
    adminPass: password,
  };
}
