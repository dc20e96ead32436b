import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow } from '@cumulet/common/database/rows';
import { SILENCE_SECONDS, type Candidate } from '../scheduler/choose-host.js';
import { Host } from './host.entity.js';

export type HostReport = Omit<Host, 'enabled' | 'seenAt'>;

@Injectable()
export class HostRepository {
  find(ctx: RequestContext, name: string): Promise<Host | undefined> {
    return selectRow(ctx.manager, Host, 'WHERE name = $1', [name]);
  }

  /** What an agent reports of its host; also its sign of life. */
  async report(ctx: RequestContext, host: HostReport): Promise<void> {
    await ctx.manager.query(
      `INSERT INTO hosts (name, hypervisor_type, hypervisor_version, vcpus, memory_mb, disk_gb, api_url, seen_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now())
       ON CONFLICT (name) DO UPDATE SET hypervisor_type = $2, hypervisor_version = $3, vcpus = $4,
         memory_mb = $5, disk_gb = $6, api_url = $7, seen_at = now()`,
      [
        host.name,
        host.hypervisorType,
        host.hypervisorVersion,
        host.vcpus,
        host.memoryMb,
        host.diskGb,
        host.apiUrl,
      ],
    );
  }

  /** By host: `UP`, `DOWN`, or `MAINTENANCE` if an operator took it out of scheduling. */
  async statuses(ctx: RequestContext): Promise<Map<string, string>> {
    const rows: { name: string; status: string }[] = await ctx.manager.query(
      `SELECT name, CASE WHEN NOT enabled THEN 'MAINTENANCE'
                         WHEN seen_at > now() - $1::int * interval '1 second' THEN 'UP'
                         ELSE 'DOWN' END AS status
         FROM hosts`,
      [SILENCE_SECONDS],
    );
    return new Map(rows.map(({ name, status }) => [name, status]));
  }

  /**
   * All hosts with their free resources, locked until the end of the transaction, so that two
   * placements never claim the same room. The servers are not read: their sums are kept.
   */
  async lockCandidates(
    ctx: RequestContext,
    ratios: { readonly cpuRatio: number; readonly reservedMemoryMb: number },
  ): Promise<Candidate[]> {
    await ctx.manager.query('SELECT FROM hosts ORDER BY name FOR UPDATE');
    return ctx.manager.query(
      `SELECT hosts.name, hosts.enabled,
              extract(epoch FROM clock_timestamp() - hosts.seen_at)::float AS "silentSeconds",
              hosts.vcpus * $1::int - coalesce(used.vcpus, 0)::int AS "freeVcpus",
              hosts.memory_mb - $2::int - coalesce(used.memory_mb, 0)::int AS "freeMemoryMb",
              hosts.disk_gb - coalesce(used.disk_gb, 0)::int AS "freeDiskGb"
         FROM hosts LEFT JOIN host_usage AS used ON used.host = hosts.name`,
      [ratios.cpuRatio, ratios.reservedMemoryMb],
    );
  }
}
