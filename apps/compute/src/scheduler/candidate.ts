/** A host as the scheduler sees it: its facts, free resources and members of groups. */
import type { HostState } from '../hosts/host.repository.js';

/** Allocation ratios of the settings. */
export interface Ratios {
  readonly cpuRatio: number;
  readonly ramRatio: number;
  readonly diskRatio: number;
  readonly reservedMemoryMb: number;
}

export interface Candidate extends HostState {
  readonly freeVcpus: number;
  readonly freeMemoryMb: number;
  readonly freeDiskGb: number;
}

/**
 * A host's free resources. An aggregate's ratio replaces the setting; the smallest of several
 * counts. Public source: Nova admin guide, "Aggregates: Allocation ratios".
 */
export function candidateOf(host: HostState, ratios: Ratios): Candidate {
  const ratio = (name: string, setting: number): number => {
    const own = metadataValues(host, name)
      .map(Number)
      .filter((value) => value > 0);
    return own.length > 0 ? Math.min(...own) : setting;
  };
  const given = (amount: number, name: string, setting: number): number =>
    Math.floor(Math.max(0, amount) * ratio(name, setting));
  return {
    ...host,
    freeVcpus: given(host.vcpus, 'cpu_allocation_ratio', ratios.cpuRatio) - host.usedVcpus,
    freeMemoryMb:
      given(host.memoryMb - ratios.reservedMemoryMb, 'ram_allocation_ratio', ratios.ramRatio) -
      host.usedMemoryMb,
    freeDiskGb: given(host.diskGb, 'disk_allocation_ratio', ratios.diskRatio) - host.usedDiskGb,
  };
}

/** Values of a key in a host's aggregates; each may list several, separated by commas. */
export function metadataValues(
  { aggregates }: Pick<HostState, 'aggregates'>,
  name: string,
): string[] {
  return aggregates.flatMap(({ metadata }) => {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    return value === undefined ? [] : value.split(',').map((one) => one.trim());
  });
}

/** A host's attribute at a path such as `cpu_info`, `arch` (nova, `HostState`). */
export function attributeOf(host: Candidate, path: readonly string[]): unknown {
  const [first = '', ...rest] = path;
  const read = Object.hasOwn(ATTRIBUTES, first) ? ATTRIBUTES[first] : undefined;
  return rest.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    read?.(host),
  );
}

const ATTRIBUTES: Readonly<Record<string, (host: Candidate) => unknown>> = {
  host: ({ name }) => name,
  nodename: ({ name }) => name,
  hypervisor_hostname: ({ name }) => name,
  hypervisor_type: ({ hypervisorType }) => hypervisorType,
  hypervisor_version: ({ hypervisorVersion }) => hypervisorVersion,
  host_ip: ({ address }) => address,
  cpu_info: ({ cpu }) => cpu,
  free_ram_mb: ({ freeMemoryMb }) => freeMemoryMb,
  free_disk_mb: ({ freeDiskGb }) => freeDiskGb * 1024,
  total_usable_ram_mb: ({ memoryMb }) => memoryMb,
  total_usable_disk_gb: ({ diskGb }) => diskGb,
  disk_mb_used: ({ usedDiskGb }) => usedDiskGb * 1024,
  vcpus_total: ({ vcpus }) => vcpus,
  vcpus_used: ({ usedVcpus }) => usedVcpus,
};
