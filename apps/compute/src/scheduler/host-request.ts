/** A server's demands on its host, with all references of its hints resolved. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Policy } from '../server-groups/server-group.resource.js';
import { claimedDiskGb, type Server } from '../servers/server.entity.js';
import { hintsOf } from './scheduling-request.js';

export interface HostRequest {
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
  readonly flavorName: string;
  readonly extraSpecs: Readonly<Record<string, string>>;
  /** Such as `hw_architecture`. */
  readonly imageProperties: Readonly<Record<string, string>>;
  /** The host that it is on, and those where its build failed. */
  readonly excluded: readonly string[];
  readonly zone?: string | undefined;
  readonly host?: string | undefined;
  /** An administrator chose the host, which only needs room. */
  readonly isForced?: boolean;
  /** Hosts of the servers that it must be beside, or must not be beside. */
  readonly besideHosts?: readonly string[] | undefined;
  readonly apartHosts?: readonly string[] | undefined;
  /** A network for the host's address: `192.0.2.1/24`. */
  readonly near?: string | undefined;
  /** For the JSON filter: `[">=", "$free_ram_mb", 1024]`. */
  readonly query?: unknown;
  readonly group?: GroupRequest | undefined;
}

/** A server's group, with the number of its other members on each host. */
export interface GroupRequest {
  readonly policy: Policy;
  readonly maxPerHost: number;
  readonly members: ReadonlyMap<string, number>;
}

/** Resolves a server's group and hints for the scheduler. */
type Placed = Pick<
  Server,
  'id' | 'host' | 'projectId' | 'vcpus' | 'memoryMb' | 'diskGb' | 'flavor' | 'image'
> &
  Pick<Server, 'scheduling' | 'triedHosts' | 'groupId'>;

/** Runs in the transaction that has locked the hosts, so that nothing it reads changes. */
export async function hostRequestOf(
  tx: RequestContext,
  server: Placed,
  over: Partial<HostRequest> = {},
): Promise<HostRequest> {
  const { zone, host, isForced = false, hints: given } = server.scheduling;
  const hints = given === undefined ? undefined : hintsOf(given);
  const tried = server.triedHosts.map(({ host: one }) => one);
  const { sameHost = [], differentHost = [] } = hints ?? {};
  return {
    vcpus: server.vcpus,
    memoryMb: server.memoryMb,
    diskGb: claimedDiskGb(server),
    flavorName: server.flavor.name,
    extraSpecs: server.flavor.extraSpecs ?? {},
    imageProperties: server.image.properties ?? {},
    zone,
    host,
    isForced,
    besideHosts: sameHost.length > 0 ? await hostsOf(tx, server, sameHost) : undefined,
    apartHosts: differentHost.length > 0 ? await hostsOf(tx, server, differentHost) : undefined,
    near: hints?.near,
    query: hints?.query,
    group: server.groupId === null ? undefined : await groupOf(tx, server.id, server.groupId),
    ...over,
    excluded: [...(over.excluded ?? tried), ...(await hostsWithLeftovers(tx, server))],
  };
}

/** Hosts with leftovers of the server, which must not be taken for its guest. */
async function hostsWithLeftovers(tx: RequestContext, { id, host }: Placed): Promise<string[]> {
  const rows: { host: string }[] = await tx.manager.query(
    `SELECT host FROM leftover_guests WHERE server_id = $1 AND host IS DISTINCT FROM $2
      UNION SELECT host FROM server_resizes
             WHERE server_id = $1 AND is_former AND host IS DISTINCT FROM $2`,
    [id, host],
  );
  return rows.map((row) => row.host);
}

/** Servers of the same project only: the hosts of others are private. */
async function hostsOf(
  tx: RequestContext,
  { projectId }: Placed,
  ids: readonly string[],
): Promise<string[]> {
  const rows: { host: string }[] = await tx.manager.query(
    `SELECT DISTINCT host FROM servers
      WHERE id = ANY($1::uuid[]) AND project_id = $2 AND host IS NOT NULL`,
    [ids, projectId],
  );
  return rows.map(({ host }) => host);
}

async function groupOf(
  tx: RequestContext,
  id: string,
  groupId: string,
): Promise<GroupRequest | undefined> {
  const [group]: { id: string; policy: Policy; maxPerHost: number }[] = await tx.manager.query(
    `SELECT id, policy, coalesce(max_per_host, 1) AS "maxPerHost" FROM server_groups
      WHERE id = $1`,
    [groupId],
  );
  if (!group) return undefined;
  const rows: { host: string; members: number }[] = await tx.manager.query(
    `SELECT host, count(*)::int AS members FROM servers
      WHERE id IN (SELECT server_id FROM server_group_members WHERE group_id = $1)
        AND id <> $2 AND host IS NOT NULL AND state <> 'deleting'
      GROUP BY host`,
    [group.id, id],
  );
  return { ...group, members: new Map(rows.map(({ host, members }) => [host, members])) };
}
