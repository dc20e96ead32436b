import type { RequestContext } from '@cumulet/common/context/request-context';

/** What the servers of a host take. */
export interface HostLoad {
  readonly vcpus: number;
  /** With what is kept for the host itself. */
  readonly memoryMb: number;
  readonly diskGb: number;
  readonly servers: number;
  /** Of these, those that are being worked on. */
  readonly working: number;
}

type Row = HostLoad & { readonly host: string };

/** Of each of these hosts, by one statement. */
export async function hostLoads(
  ctx: RequestContext,
  names: readonly string[],
  reservedMemoryMb: number,
): Promise<ReadonlyMap<string, HostLoad>> {
  const rows: Row[] = await ctx.manager.query(
    `SELECT host, coalesce(used.vcpus, 0)::int AS vcpus,
            (coalesce(used.memory_mb, 0) + $2)::int AS "memoryMb",
            coalesce(used.disk_gb, 0)::int AS "diskGb",
            coalesce(servers.number, 0)::int AS servers, coalesce(servers.working, 0)::int AS working
       FROM unnest($1::text[]) AS host
            LEFT JOIN host_usage AS used USING (host)
            LEFT JOIN LATERAL (
              SELECT count(*) AS number, count(state_deadline) AS working
                FROM servers WHERE servers.host = host.host) AS servers ON true`,
    [names, reservedMemoryMb],
  );
  return new Map(rows.map(({ host, ...load }) => [host, load]));
}

/** The servers of each of these hosts, in the order of their names. */
export async function hostedServers(
  ctx: RequestContext,
  names: readonly string[],
): Promise<ReadonlyMap<string, { name: string; uuid: string }[]>> {
  const rows: { host: string; name: string; uuid: string }[] = await ctx.manager.query(
    'SELECT host, name, id AS uuid FROM servers WHERE host = ANY($1::text[]) ORDER BY created_at, id',
    [names],
  );
  const of = (name: string): { name: string; uuid: string }[] =>
    rows
      .filter(({ host }) => host === name)
      .map(({ name: title, uuid }) => ({ name: title, uuid }));
  return new Map([...new Set(rows.map(({ host }) => host))].map((host) => [host, of(host)]));
}
