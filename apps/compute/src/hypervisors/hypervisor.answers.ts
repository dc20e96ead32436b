/** Hypervisors on the wire. Public source: Nova API reference, "Hypervisors (os-hypervisors)". */
import { applyDecorators, type Type } from '@nestjs/common';
import { answerClass, Shown, type Shape, type ShownOptions } from '@cumulet/common/http/shown';
import type { Host } from '../hosts/host.entity.js';
import { Link } from '../http/pages.js';
import type { HostLoad } from '../servers/server.repository.js';

/** A host with what is on it. */
export interface Hypervisor {
  readonly host: Host;
  /** With the memory that is reserved for the host itself. */
  readonly load: HostLoad;
  /** Where they are asked for. */
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
  hypervisor_hostname: Shown<Hypervisor>(String, "Its name, which is its host's.", {
    from: ({ host }) => host.name,
  }),
  state: Shown<Hypervisor>(String, 'Whether its host is heard of.', {
    enum: ['up', 'down'],
    from: ({ host }) => (host.isUp ? 'up' : 'down'),
  }),
  status: Shown<Hypervisor>(String, 'Whether new servers may be placed on it.', {
    enum: ['enabled', 'disabled'],
    from: ({ host }) => (host.enabled ? 'enabled' : 'disabled'),
  }),
  servers: Shown<Hypervisor>([() => HostedServer], 'The servers on it, where they are asked for.', {
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
  disabled_reason: Shown(String, 'Why it is disabled.', { nullable: true }),
});

/** What 2.88 has withdrawn, as others misread it. */
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
  hypervisor_type: Shown<Hypervisor>(String, 'What runs its guests.', {
    from: ({ host }) => host.hypervisorType,
  }),
  hypervisor_version: Shown<Hypervisor>('integer', 'Of what runs its guests: 7002022 is 7.2.22.', {
    from: ({ host }) => versionNumber(host.hypervisorVersion),
  }),
  host_ip: Shown<Hypervisor>(String, 'The address of its host.', {
    from: ({ host }) => host.address,
  }),
  service: Shown<Hypervisor>(() => HypervisorService, 'The service of its host.', {
    from: ({ host }, { fields }) => ({
      id: (fields.microversion?.minor ?? 1) >= 53 ? host.serviceId : host.number,
      host: host.name,
      disabled_reason: host.disabledReason,
    }),
  }),
  vcpus: withdrawn('Processors.', ({ host }) => host.vcpus),
  memory_mb: withdrawn('MiB of memory.', ({ host }) => host.memoryMb),
  local_gb: withdrawn('GiB of disk.', ({ host }) => host.diskGb),
  vcpus_used: withdrawn('Virtual processors of the servers on it.', ({ load }) => load.vcpus),
  memory_mb_used: withdrawn(
    'MiB of memory that its servers and the host itself take.',
    ({ load }) => load.memoryMb,
  ),
  local_gb_used: withdrawn('GiB of disk that its servers may take.', ({ load }) => load.diskGb),
  free_ram_mb: withdrawn(
    'MiB of memory that are left.',
    ({ host, load }) => host.memoryMb - load.memoryMb,
  ),
  free_disk_gb: withdrawn(
    'GiB of disk that are left.',
    ({ host, load }) => host.diskGb - load.diskGb,
  ),
  current_workload: withdrawn('Servers that are being worked on.', ({ load }) => load.working),
  running_vms: withdrawn('Servers on it.', ({ load }) => load.servers),
  disk_available_least: withdrawn(
    'GiB of disk that are free at present.',
    ({ host }) => host.freeDiskGb,
  ),
  cpu_info: applyDecorators(
    Shown<Hypervisor>(Object, 'Its processor.', {
      since: 28,
      until: 87,
      from: ({ host }) => host.cpu,
      schema: ANY,
    }),
    Shown<Hypervisor>(String, 'Its processor, as JSON in a string.', {
      until: 27,
      from: ({ host }) => JSON.stringify(host.cpu),
    }),
  ),
  uptime: Shown<Hypervisor>(String, 'How long its host is up; null while that is down.', {
    since: 88,
    nullable: true,
    from: ({ host }) => (host.isUp ? host.uptime : null),
  }),
});

/** Until 2.87. */
export const HypervisorUptime = answerClass('HypervisorUptime', {
  ...HYPERVISOR_SUMMARY,
  uptime: Shown<Hypervisor>(String, 'How long its host is up.', {
    from: ({ host }) => host.uptime,
  }),
});

const SUMS: Readonly<Record<string, string>> = {
  count: 'Hypervisors that are enabled.',
  vcpus: 'Their processors.',
  memory_mb: 'MiB of memory.',
  local_gb: 'GiB of disk.',
  vcpus_used: 'Virtual processors of the servers on them.',
  memory_mb_used: 'MiB of memory that are taken.',
  local_gb_used: 'GiB of disk that servers may take.',
  free_ram_mb: 'MiB of memory that are left.',
  free_disk_gb: 'GiB of disk that are left.',
  current_workload: 'Servers that are being worked on.',
  running_vms: 'Servers.',
  disk_available_least: 'GiB of disk that are free at present.',
};

const Statistics = answerClass(
  'HypervisorStatistics',
  Object.fromEntries(Object.entries(SUMS).map(([name, about]) => [name, Shown('integer', about)])),
);

/** @param views of 2.87, which has all that is summed up */
export function statisticsOf(views: readonly object[]): Record<string, number> {
  const sum = (name: string): number =>
    views.reduce((total, view) => total + Number((view as Record<string, unknown>)[name]), 0);
  return Object.fromEntries(
    Object.keys(SUMS).map((name) => [name, name === 'count' ? views.length : sum(name)]),
  );
}

export const HypervisorStatisticsAnswer = answerClass('HypervisorStatisticsAnswer', {
  hypervisor_statistics: Shown(() => Statistics, 'The sums.'),
});

/** The class of a page. @param view of each of them */
export function hypervisorList(name: string, view: Type): Type {
  return answerClass(name, {
    hypervisors: Shown([() => view], 'The hypervisors of the page.'),
    hypervisors_links: Shown([() => Link], 'The next page, where there is one.', {
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
