/** Hypervisors on the wire. Public source: Nova API reference, "Hypervisors (os-hypervisors)". */
import type { Type } from '@nestjs/common';
import { answerClass, Shown, type Shape, type ShownOptions } from '@cumulet/common/http/shown';
import type { Host } from '../hosts/host.entity.js';
import { Link } from '../http/pages.js';

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

/** A host with what is on it. */
export interface Hypervisor {
  readonly host: Host;
  readonly load: HostLoad;
  /** Where they are asked for. */
  readonly servers?: readonly HostedServer[] | undefined;
}

export class HostedServer {
  @Shown(String, 'Its name.')
  name: string;

  @Shown(String, 'Its id.')
  uuid: string;
}

export class HypervisorSummary {
  @Shown<Hypervisor>('integer', 'Its id.', { until: 52, from: ({ host }) => host.number })
  @Shown<Hypervisor>(String, 'Its id.', { since: 53, from: ({ host }) => host.hypervisorId })
  id: number | string;

  @Shown<Hypervisor>(String, "Its name, which is its host's.", { from: ({ host }) => host.name })
  hypervisor_hostname: string;

  @Shown<Hypervisor>(String, 'Whether its host is heard of.', {
    enum: ['up', 'down'],
    from: ({ host }) => (host.isUp ? 'up' : 'down'),
  })
  state: string;

  @Shown<Hypervisor>(String, 'Whether new servers may be placed on it.', {
    enum: ['enabled', 'disabled'],
    from: ({ host }) => (host.enabled ? 'enabled' : 'disabled'),
  })
  status: string;

  @Shown<Hypervisor>([() => HostedServer], 'The servers on it, where they are asked for.', {
    optional: true,
    from: ({ servers }) => servers,
  })
  servers?: readonly HostedServer[];
}

class HypervisorService {
  @Shown('integer', 'Its id.', { until: 52 })
  @Shown(String, 'Its id.', { since: 53 })
  id: number | string;

  @Shown(String, 'Its host.')
  host: string;

  @Shown(String, 'Why it is disabled.', { nullable: true })
  disabled_reason: string | null;
}

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

export class HypervisorView extends HypervisorSummary {
  @Shown<Hypervisor>(String, 'What runs its guests.', { from: ({ host }) => host.hypervisorType })
  hypervisor_type: string;

  @Shown<Hypervisor>('integer', 'Of what runs its guests: 7002022 is 7.2.22.', {
    from: ({ host }) => versionNumber(host.hypervisorVersion),
  })
  hypervisor_version: number;

  @Shown<Hypervisor>(String, 'The address of its host.', { from: ({ host }) => host.address })
  host_ip: string;

  @Shown<Hypervisor>(() => HypervisorService, 'The service of its host.', {
    from: ({ host }, { fields }) => ({
      id: (fields.microversion?.minor ?? 1) >= 53 ? host.serviceId : host.number,
      host: host.name,
      disabled_reason: host.disabledReason,
    }),
  })
  service: HypervisorService;

  @withdrawn('Processors.', ({ host }) => host.vcpus)
  vcpus?: number;

  @withdrawn('MiB of memory.', ({ host }) => host.memoryMb)
  memory_mb?: number;

  @withdrawn('GiB of disk.', ({ host }) => host.diskGb)
  local_gb?: number;

  @withdrawn('Virtual processors of the servers on it.', ({ load }) => load.vcpus)
  vcpus_used?: number;

  @withdrawn(
    'MiB of memory that its servers and the host itself take.',
    ({ load }) => load.memoryMb,
  )
  memory_mb_used?: number;

  @withdrawn('GiB of disk that its servers may take.', ({ load }) => load.diskGb)
  local_gb_used?: number;

  @withdrawn('MiB of memory that are left.', ({ host, load }) => host.memoryMb - load.memoryMb)
  free_ram_mb?: number;

  @withdrawn('GiB of disk that are left.', ({ host, load }) => host.diskGb - load.diskGb)
  free_disk_gb?: number;

  @withdrawn('Servers that are being worked on.', ({ load }) => load.working)
  current_workload?: number;

  @withdrawn('Servers on it.', ({ load }) => load.servers)
  running_vms?: number;

  @withdrawn('GiB of disk that are free at present.', ({ host }) => host.freeDiskGb)
  disk_available_least?: number;

  @Shown<Hypervisor>(String, 'Its processor, as JSON in a string.', {
    until: 27,
    from: ({ host }) => JSON.stringify(host.cpu),
  })
  @Shown<Hypervisor>(Object, 'Its processor.', {
    since: 28,
    until: 87,
    from: ({ host }) => host.cpu,
    schema: ANY,
  })
  cpu_info?: string | object;

  @Shown<Hypervisor>(String, 'How long its host is up; null while that is down.', {
    since: 88,
    nullable: true,
    from: ({ host }) => (host.isUp ? host.uptime : null),
  })
  uptime?: string | null;
}

/** Until 2.87. */
export class HypervisorUptime extends HypervisorSummary {
  @Shown<Hypervisor>(String, 'How long its host is up.', { from: ({ host }) => host.uptime })
  uptime: string;
}

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
