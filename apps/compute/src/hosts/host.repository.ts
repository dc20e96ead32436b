import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow } from '@cumulet/common/database/rows';
import { Table } from '@cumulet/common/tables/table';
import { versionOf } from '../versions/microversions.js';
import type { HostCpu } from './host-facts.js';
import { ComputeHostNotFoundError } from './host.errors.js';
import { DEFAULT_ZONE, Host, IS_UP, SILENCE_SECONDS } from './host.entity.js';

type HostReport = Omit<
  Host,
  | ('number' | 'serviceId' | 'hypervisorId' | 'zone' | 'seenAt' | 'isUp')
  | ('enabled' | 'disabledReason' | 'forcedDown')
>;

interface HostAggregate {
  readonly zone: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface HostState {
  readonly name: string;
  readonly enabled: boolean;
  /** Heard from, and not forced down. */
  readonly isUp: boolean;
  readonly zone: string;
  readonly address: string;
  readonly hypervisorType: string;
  readonly hypervisorVersion: string;
  readonly cpu: HostCpu;
  readonly aggregates: readonly HostAggregate[];
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
  /** Taken by the servers that have claimed it. */
  readonly usedVcpus: number;
  readonly usedMemoryMb: number;
  readonly usedDiskGb: number;
}

/** Hosts by any of their ids. */
export const hosts = new Table(Host, {
  missing: (key) => new ComputeHostNotFoundError(String(Object.values(key as object)[0])),
});

@Injectable()
export class HostRepository {
  find(ctx: RequestContext, name: string): Promise<Host | undefined> {
    return selectRow(ctx.manager, Host, 'WHERE name = $1', [name]);
  }

  /** Records an agent's report, which is also its sign of life. */
  async report(ctx: RequestContext, host: HostReport): Promise<void> {
    await ctx.manager.query(
      `INSERT INTO hosts (name, hypervisor_type, hypervisor_version, vcpus, memory_mb, disk_gb,
                          free_disk_gb, address, cpu, uptime, api_url, seen_at,
                          service_id, hypervisor_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now(),
               gen_random_uuid(), gen_random_uuid())
       ON CONFLICT (name) DO UPDATE SET hypervisor_type = $2, hypervisor_version = $3, vcpus = $4,
         memory_mb = $5, disk_gb = $6, free_disk_gb = $7, address = $8, cpu = $9, uptime = $10,
         api_url = $11, seen_at = now()`,
      [
        host.name,
        host.hypervisorType,
        host.hypervisorVersion,
        host.vcpus,
        host.memoryMb,
        host.diskGb,
        host.freeDiskGb,
        host.address,
        JSON.stringify(host.cpu),
        host.uptime,
        host.apiUrl,
      ],
    );
  }

  /** The `host_status` of servers, by host (Nova API reference, "Show Server Details"). */
  async statuses(ctx: RequestContext): Promise<Map<string, string>> {
    const rows: { name: string; status: string }[] = await ctx.manager.query(
      `SELECT name, CASE WHEN forced_down THEN 'DOWN'
                         WHEN NOT enabled THEN 'MAINTENANCE'
                         WHEN seen_at > now() - $1::int * interval '1 second' THEN 'UP'
                         ELSE 'UNKNOWN' END AS status
         FROM hosts`,
      [SILENCE_SECONDS],
    );
    return new Map(rows.map(({ name, status }) => [name, status]));
  }

  /** Whether any host but these takes servers. */
  async hasUsable(ctx: RequestContext, except: readonly string[]): Promise<boolean> {
    const rows: unknown[] = await ctx.manager.query(
      `SELECT FROM hosts WHERE name <> ALL($1::text[]) AND enabled AND ${IS_UP} LIMIT 1`,
      [except],
    );
    return rows.length > 0;
  }

  async isUp(ctx: RequestContext, name: string): Promise<boolean> {
    const rows: unknown[] = await ctx.manager.query(
      `SELECT FROM hosts WHERE name = $1 AND ${IS_UP}`,
      [name],
    );
    return rows.length > 0;
  }

  /** All hosts with their usage, locked so that no two placements claim the same room. */
  async lockAll(ctx: RequestContext): Promise<HostState[]> {
    await ctx.manager.query('SELECT FROM hosts ORDER BY name FOR UPDATE');
    return ctx.manager.query(
      `SELECT hosts.name, hosts.enabled, ${IS_UP} AS "isUp", coalesce(hosts.zone, $1) AS zone,
              hosts.address, hosts.hypervisor_type AS "hypervisorType",
              hosts.hypervisor_version AS "hypervisorVersion", hosts.cpu,
              hosts.vcpus, hosts.memory_mb AS "memoryMb", hosts.disk_gb AS "diskGb",
              coalesce(used.vcpus, 0)::int AS "usedVcpus",
              coalesce(used.memory_mb, 0)::int AS "usedMemoryMb",
              coalesce(used.disk_gb, 0)::int AS "usedDiskGb",
              coalesce((SELECT json_agg(json_build_object('zone', zone, 'metadata', metadata) ORDER BY id)
                          FROM aggregates JOIN aggregate_hosts ON aggregate_id = id
                         WHERE host = hosts.name), '[]') AS aggregates
         FROM hosts LEFT JOIN host_usage AS used ON used.host = hosts.name`,
      [DEFAULT_ZONE],
    );
  }
}

/** The `host_status` of servers: for administrators, since 2.16. */
@Injectable()
export class HostStatuses {
  constructor(private readonly hosts: HostRepository) {}

  /** One statement for a page of servers; none for callers who may not see it. */
  of(ctx: RequestContext): Promise<ReadonlyMap<string, string>> | ReadonlyMap<string, string> {
    return ctx.isAdmin && versionOf(ctx).atLeast(16) ? this.hosts.statuses(ctx) : NONE;
  }
}

const NONE: ReadonlyMap<string, string> = new Map();
