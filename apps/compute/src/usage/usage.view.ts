/** Usage on the wire. Public source: Nova API reference, "Usage reports (os-simple-tenant-usage)". */
import { zonelessTime } from '../http/zoneless-time.js';
import { statusOf } from '../servers/server-status.js';
import type { Server } from '../servers/server.entity.js';
import type { ProjectUsage, ServerUsage } from './usage.answers.js';

export interface Period {
  readonly start: Date;
  readonly stop: Date;
  /** Both as they are shown: to the microsecond, where that was asked for. */
  readonly shown: { readonly start: string; readonly stop: string };
}

/**
 * The usage of each project, in the order of the servers.
 * @param servers that have run
 * @param detailed whether each shows its servers
 */
export function usageByProject(
  servers: readonly Server[],
  period: Period,
  now: Date,
  detailed: boolean,
): ProjectUsage[] {
  const byProject = new Map<string, Server[]>();
  for (const server of servers)
    byProject.set(server.projectId, [...(byProject.get(server.projectId) ?? []), server]);
  return [...byProject].map(([projectId, own]) => {
    const usages = own.map((server) => usageOf(server, period, now));
    const sum = (of: (usage: ServerUsage) => number): number =>
      usages.reduce((total, usage) => total + of(usage) * usage.hours, 0);
    return {
      tenant_id: projectId,
      ...period.shown,
      total_hours: sum(() => 1),
      total_local_gb_usage: sum(({ local_gb }) => local_gb),
      total_memory_mb_usage: sum(({ memory_mb }) => memory_mb),
      total_vcpus_usage: sum(({ vcpus }) => vcpus),
      ...(detailed ? { server_usages: usages } : {}),
    };
  });
}

function usageOf(server: Server, { start, stop }: Period, now: Date): ServerUsage {
  const { launchedAt, deletedAt = null } = server;
  const since = launchedAt ?? now;
  const until = deletedAt ?? now;
  return {
    instance_id: server.id,
    name: server.name,
    tenant_id: server.projectId,
    flavor: server.flavor.name,
    vcpus: server.vcpus,
    memory_mb: server.memoryMb,
    local_gb: server.diskGb + (server.flavor.ephemeralGb ?? 0),
    hours: secondsBetween(later(since, start), earlier(until, stop)) / 3_600,
    state: deletedAt === null ? statusOf(server).vmState : 'terminated',
    started_at: zonelessTime(since),
    ended_at: deletedAt && zonelessTime(deletedAt),
    uptime: Math.floor(secondsBetween(since, until)),
  };
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime()) / 1_000;
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}
