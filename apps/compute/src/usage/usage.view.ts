/** Usage on the wire. Public source: Nova API reference, "Usage reports (os-simple-tenant-usage)". */
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { zonelessTime } from '../http/times.js';
import { statusOf } from '../servers/server-status.js';
import type { Server } from '../servers/server.entity.js';
import { Link } from '../http/pages.js';

export interface Period {
  readonly start: Date;
  readonly stop: Date;
  /** As shown: to the microsecond, if that was requested. */
  readonly shown: { readonly start: string; readonly stop: string };
}

/** In the order of the servers. @param detailed whether each project shows its servers */
export function usageByProject(
  servers: readonly Server[],
  period: Period,
  now: Date,
  detailed: boolean,
): object[] {
  const byProject = new Map<string, Server[]>();
  for (const server of servers)
    byProject.set(server.projectId, [...(byProject.get(server.projectId) ?? []), server]);
  return [...byProject].map(([projectId, own]) => {
    const usages = own.map((server) => usageOf(server, period, now));
    const sum = (of: (usage: ReturnType<typeof usageOf>) => number): number =>
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

function usageOf(server: Server, { start, stop }: Period, now: Date) {
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

/** Times are UTC without a zone. */
export const ServerUsage = answerClass('ServerUsage', {
  instance_id: Shown(String, 'The server.'),
  name: Shown(String, 'Its name.'),
  tenant_id: Shown(String, 'Its project.'),
  flavor: Shown(String, 'The name of the flavor.'),
  vcpus: Shown('integer', 'Processors.'),
  memory_mb: Shown('integer', 'The memory in MiB.'),
  local_gb: Shown('integer', 'The disk space in GiB.'),
  hours: Shown(Number, 'The hours in the period since the server first ran.'),
  state: Shown(String, 'The vm_state; `terminated` after deletion.'),
  started_at: Shown(String, 'When the server first ran.'),
  ended_at: Shown(String, 'When the server was deleted.', { nullable: true }),
  uptime: Shown('integer', 'The seconds from the first run to the deletion, or to now.'),
});

/** Empty for a project without servers in the period. */
export const ProjectUsage = answerClass('ProjectUsage', {
  tenant_id: Shown(String, 'The project.', { optional: true }),
  start: Shown(String, 'The start of the period.', { optional: true }),
  stop: Shown(String, 'The end of the period.', { optional: true }),
  total_hours: Shown(Number, 'The sum of the hours of all servers.', { optional: true }),
  total_local_gb_usage: Shown(Number, 'The disk space in GiB times hours.', { optional: true }),
  total_memory_mb_usage: Shown(Number, 'The memory in MiB times hours.', { optional: true }),
  total_vcpus_usage: Shown(Number, 'The vCPUs times hours.', { optional: true }),
  server_usages: Shown(
    [() => ServerUsage],
    'The usage of each server; in a list, if `detailed` is 1.',
    {
      optional: true,
    },
  ),
});

export const ProjectUsageList = answerClass('ProjectUsageList', {
  tenant_usages: Shown(
    [() => ProjectUsage],
    'The usage of each project with servers in the period.',
  ),
  tenant_usages_links: Shown([() => Link], 'The next page, if there is one.', {
    since: 40,
    optional: true,
  }),
});

export const ProjectUsageAnswer = answerClass('ProjectUsageAnswer', {
  tenant_usage: Shown(() => ProjectUsage, 'The usage of the project.'),
  tenant_usage_links: Shown([() => Link], 'The next page, if there is one.', {
    since: 40,
    optional: true,
  }),
});
