/** Hypervisors on the wire. Public source: Nova API reference, "Hypervisors (os-hypervisors)". */
import { applyDecorators, type Type } from '@nestjs/common';
import { shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown, type Shape, type ShownOptions } from '@cumulet/common/http/shown';
import type { Host } from '../hosts/host.entity.js';
import { Link } from '../http/pages.js';
import type { HostLoad } from '../servers/server.repository.js';

/** A host with its load and servers. */
export interface Hypervisor {
  readonly host: Host;
  /** Includes the memory that is reserved for the host. */
  readonly load: HostLoad;
  /** If they were requested. */
  readonly servers?: readonly { readonly name: string; readonly uuid: string }[] | undefined;
}

const HostedServer = answerClass('HostedServer', {
  name: Shown(String, 'Its name.'),
  uuid: Shown(String, 'Its id.'),
});

const HYPERVISOR_SUMMARY = {
  id: applyDecorators(
    Shown<Hypervisor>(String, 'Its id.', { since: 53, from: ({ host }) => host.hypervisorId }),
    Shown<Hypervisor>('integer', 'Its id.', { until: 52, from: ({ host }) => host.number }),
  ),
  hypervisor_hostname: Shown<Hypervisor>(String, 'The name, which is that of the host.', {
    from: ({ host }) => host.name,
  }),
  state: Shown<Hypervisor>(String, 'Whether the host is up.', {
    enum: ['up', 'down'],
    from: ({ host }) => (host.isUp ? 'up' : 'down'),
  }),
  status: Shown<Hypervisor>(String, 'Whether the scheduler may place new servers on the host.', {
    enum: ['enabled', 'disabled'],
    from: ({ host }) => (host.enabled ? 'enabled' : 'disabled'),
  }),
  servers: Shown<Hypervisor>([() => HostedServer], 'The servers on the hypervisor, on request.', {
    optional: true,
    from: ({ servers }) => servers,
  }),
};

export const HypervisorSummary = answerClass('HypervisorSummary', HYPERVISOR_SUMMARY);

const HypervisorService = answerClass('HypervisorService', {
  id: applyDecorators(
    Shown(String, 'Its id.', { since: 53 }),
    Shown('integer', 'Its id.', { until: 52 }),
  ),
  host: Shown(String, 'Its host.'),
  disabled_reason: Shown(String, 'The reason for disabling the service.', { nullable: true }),
});

/** Withdrawn by 2.88, as misleading. */
const WITHDRAWN = { until: 87 };

function withdrawn(
  about: string,
  from: (row: Hypervisor) => unknown,
  shape: Shape = 'integer',
): PropertyDecorator {
  return Shown<Hypervisor>(shape, about, { ...WITHDRAWN, from });
}

const ANY: ShownOptions['schema'] = { additionalProperties: true };

export const HypervisorView = answerClass('HypervisorView', {
  ...HYPERVISOR_SUMMARY,
  hypervisor_type: Shown<Hypervisor>(String, 'The type of the hypervisor.', {
    from: ({ host }) => host.hypervisorType,
  }),
  hypervisor_version: Shown<Hypervisor>(
    'integer',
    'The version of the hypervisor: 7002022 is 7.2.22.',
    {
      from: ({ host }) => versionNumber(host.hypervisorVersion),
    },
  ),
  host_ip: Shown<Hypervisor>(String, 'The IP address of the host.', {
    from: ({ host }) => host.address,
  }),
  service: Shown<Hypervisor>(() => HypervisorService, 'The compute service of the host.', {
    from: ({ host }, { fields }) => ({
      id: (fields.microversion?.minor ?? 1) >= 53 ? host.serviceId : host.number,
      host: host.name,
      disabled_reason: host.disabledReason,
    }),
  }),
  vcpus: withdrawn('Processors.', ({ host }) => host.vcpus),
  memory_mb: withdrawn('The memory in MiB.', ({ host }) => host.memoryMb),
  local_gb: withdrawn('The disk space in GiB.', ({ host }) => host.diskGb),
  vcpus_used: withdrawn('The vCPUs that servers use.', ({ load }) => load.vcpus),
  memory_mb_used: withdrawn(
    'The memory in MiB that servers and the host itself use.',
    ({ load }) => load.memoryMb,
  ),
  local_gb_used: withdrawn(
    'The disk space in GiB that servers may use.',
    ({ load }) => load.diskGb,
  ),
  free_ram_mb: withdrawn(
    'The free memory in MiB.',
    ({ host, load }) => host.memoryMb - load.memoryMb,
  ),
  free_disk_gb: withdrawn(
    'The free disk space in GiB.',
    ({ host, load }) => host.diskGb - load.diskGb,
  ),
  current_workload: withdrawn(
    'The number of servers with a task in progress.',
    ({ load }) => load.working,
  ),
  running_vms: withdrawn('The number of servers on the hypervisor.', ({ load }) => load.servers),
  disk_available_least: withdrawn(
    'The disk space in GiB that is free on the file system.',
    ({ host }) => host.freeDiskGb,
  ),
  cpu_info: applyDecorators(
    Shown<Hypervisor>(Object, 'Its processor.', {
      since: 28,
      until: 87,
      from: ({ host }) => host.cpu,
      schema: ANY,
    }),
    Shown<Hypervisor>(String, 'The processor, as JSON in a string.', {
      until: 27,
      from: ({ host }) => JSON.stringify(host.cpu),
    }),
  ),
  uptime: Shown<Hypervisor>(String, 'The uptime of the host; null while the host is down.', {
    since: 88,
    nullable: true,
    from: ({ host }) => (host.isUp ? host.uptime : null),
  }),
});

/** Until 2.87. */
export const HypervisorUptime = answerClass('HypervisorUptime', {
  ...HYPERVISOR_SUMMARY,
  uptime: Shown<Hypervisor>(String, 'The uptime of the host.', {
    from: ({ host }) => host.uptime,
  }),
});

const SUMS: Readonly<Record<string, string>> = {
  count: 'The number of enabled hypervisors.',
  vcpus: 'Their processors.',
  memory_mb: 'The memory in MiB.',
  local_gb: 'The disk space in GiB.',
  vcpus_used: 'The vCPUs that servers use.',
  memory_mb_used: 'The used memory in MiB.',
  local_gb_used: 'The disk space in GiB that servers may use.',
  free_ram_mb: 'The free memory in MiB.',
  free_disk_gb: 'The free disk space in GiB.',
  current_workload: 'The number of servers with a task in progress.',
  running_vms: 'Servers.',
  disk_available_least: 'The disk space in GiB that is free on the file system.',
};

const Statistics = answerClass(
  'HypervisorStatistics',
  Object.fromEntries(Object.entries(SUMS).map(([name, about]) => [name, Shown('integer', about)])),
);

/** @param views of 2.87, with all that is summed up */
export function statisticsOf(views: readonly object[]): Record<string, number> {
  const sum = (name: string): number =>
    views.reduce((total, view) => total + Number((view as Record<string, unknown>)[name]), 0);
  return Object.fromEntries(
    Object.keys(SUMS).map((name) => [name, name === 'count' ? views.length : sum(name)]),
  );
}

export const HypervisorStatisticsAnswer = shownUnder('hypervisor_statistics', Statistics);

/** The class of a page. @param view of each entry */
export function hypervisorList(name: string, view: Type): Type {
  return answerClass(name, {
    hypervisors: Shown([() => view], 'The hypervisors of the page.'),
    hypervisors_links: Shown([() => Link], 'The next page, if there is one.', {
      since: 33,
      optional: true,
    }),
  });
}

/** `7.2.22` → 7002022, as libvirt writes it. */
function versionNumber(text: string): number {
  const [major = 0, minor = 0, micro = 0] = text.split('.').map((part) => parseInt(part, 10) || 0);
  return major * 1_000_000 + minor * 1_000 + micro;
}
