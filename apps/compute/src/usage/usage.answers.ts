/**
 * What projects have used in a period. Times are UTC without a zone.
 * Public source: Nova API reference, "Usage reports (os-simple-tenant-usage)".
 */
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Link } from '../http/pages.js';

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
