/** What flavors and queries may name of a host. Public source: nova, `HostState`. */
import type { Candidate } from '../candidate.js';

/** The attribute at a path such as `cpu_info`, `arch`; undefined if the host has none. */
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
