/** Usage on the wire. Public source: Nova API reference, "Usage reports (os-simple-tenant-usage)". */
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { zonelessTime } from '../http/times.js';
import { statusOf } from '../servers/server-status.js';
import type { Server } from '../servers/server.entity.js';
import { Link } from '../http/pages.js';

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

/**
 * What projects have used in a period. Times are UTC without a zone.
 * Public source: Nova API reference, "Usage reports (os-simple-tenant-usage)".
 */
export class ServerUsage {
  @Shown(String, 'The server.')
  instance_id: string;

  @Shown(String, 'Its name.')
  name: string;

  @Shown(String, 'Its project.')
  tenant_id: string;

  @Shown(String, 'The name of its flavor.')
  flavor: string;

  @Shown('integer', 'Processors.')
  vcpus: number;

  @Shown('integer', 'MiB of memory.')
  memory_mb: number;

  @Shown('integer', 'GiB of disk.')
  local_gb: number;

  @Shown(Number, 'Hours of the period that it has existed for, since it first ran.')
  hours: number;

  @Shown(String, 'Its vm_state, or terminated for one that was deleted.')
  state: string;

  @Shown(String, 'When it first ran.')
  started_at: string;

  @Shown(String, 'When it was deleted.', { nullable: true })
  ended_at: string | null;

  @Shown('integer', 'Seconds from its first run until it was deleted, or until now.')
  uptime: number;
}

/** Of a project without servers in the period, an empty one is shown. */
export class ProjectUsage {
  @Shown(String, 'The project.', { optional: true })
  tenant_id?: string;

  @Shown(String, 'When the period begins.', { optional: true })
  start?: string;

  @Shown(String, 'When it ends.', { optional: true })
  stop?: string;

  @Shown(Number, 'Hours of all servers.', { optional: true })
  total_hours?: number;

  @Shown(Number, 'GiB of disk times hours.', { optional: true })
  total_local_gb_usage?: number;

  @Shown(Number, 'MiB of memory times hours.', { optional: true })
  total_memory_mb_usage?: number;

  @Shown(Number, 'Processors times hours.', { optional: true })
  total_vcpus_usage?: number;

  @Shown([() => ServerUsage], 'Of each server; in a list, if `detailed` is 1.', { optional: true })
  server_usages?: ServerUsage[];
}

export const ProjectUsageList = answerClass('ProjectUsageList', {
  tenant_usages: Shown([() => ProjectUsage], 'Of each project with servers in the period.'),
  tenant_usages_links: Shown([() => Link], 'The next servers, where there are more.', {
    since: 40,
    optional: true,
  }),
});

export class ProjectUsageAnswer {
  @Shown(() => ProjectUsage, 'With each server.')
  tenant_usage: ProjectUsage;

  @Shown([() => Link], 'The next servers, where there are more.', { since: 40, optional: true })
  tenant_usage_links?: Link[];
}
