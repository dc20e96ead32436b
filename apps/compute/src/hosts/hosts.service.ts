import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../config.js';
import { servicesOf } from './host-services.js';
import type { Host } from './host.entity.js';
import { hosts } from './host.repository.js';

interface Resource {
  readonly host: string;
  readonly project: string;
  readonly cpu: number;
  readonly memory_mb: number;
  readonly disk_gb: number;
}

/** Public source: Nova API reference, "Hosts (os-hosts)". */
@Injectable()
export class HostsService {
  constructor(@Inject(CONFIG) private readonly config: ComputeConfig) {}

  /** Hosts with enabled services, of one zone or of all. */
  async list(ctx: RequestContext, zone: string | undefined): Promise<object[]> {
    return servicesOf(await hosts.select(ctx, [], 'ORDER BY number'))
      .filter(({ enabled }) => enabled)
      .map((service) => ({
        host_name: service.name,
        service: service.topic,
        zone: service.zone,
      }))
      .filter((row) => zone === undefined || zone === '' || row.zone === zone);
  }

  /** @throws ComputeHostNotFoundError */
  get(ctx: RequestContext, name: string): Promise<Host> {
    return hosts.get(ctx, { name });
  }

  /** @throws ComputeHostNotFoundError */
  async resources(ctx: RequestContext, name: string): Promise<Resource[]> {
    const { vcpus: cpu, memoryMb: memory_mb, diskGb: disk_gb } = await this.get(ctx, name);
    const used: Resource[] = await ctx.manager.query(
      `SELECT $1 AS host, coalesce(project_id, '(used_max)') AS project,
              coalesce(sum(vcpus), 0)::int AS cpu, coalesce(sum(memory_mb), 0)::int AS memory_mb,
              coalesce(sum(disk_gb), 0)::int AS disk_gb
         FROM servers WHERE host = $1 GROUP BY GROUPING SETS ((), (project_id))
        ORDER BY project_id NULLS FIRST`,
      [name],
    );
    const [all] = used;
    const reserved = this.config.reservedMemoryMb;
    return [
      { host: name, project: '(total)', cpu, memory_mb, disk_gb },
      ...(all ? [{ ...all, project: '(used_now)', memory_mb: all.memory_mb + reserved }] : []),
      ...used,
    ];
  }

  /** @throws ComputeHostNotFoundError */
  async enable(ctx: RequestContext, name: string, enabled: boolean): Promise<void> {
    await hosts.update(ctx, { name }, { enabled, disabledReason: null });
  }
}
