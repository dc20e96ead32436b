/** Filters by what hosts have left. */
import type { Candidate } from '../candidate.js';
import type { Filter } from './filter.js';

const most = (hosts: readonly Candidate[], of: (host: Candidate) => number): number =>
  Math.max(0, ...hosts.map(of));

export const RESOURCE_FILTERS: readonly Filter[] = [
  {
    name: 'VcpuFilter',
    isAlways: true,
    passes: ({ freeVcpus }, { vcpus }) => vcpus <= freeVcpus,
    explain: (hosts, { vcpus }) =>
      `${vcpus} VCPUs asked for, at most ${most(hosts, (host) => host.freeVcpus)} free`,
  },
  {
    name: 'RamFilter',
    isAlways: true,
    passes: ({ freeMemoryMb }, { memoryMb }) => memoryMb <= freeMemoryMb,
    explain: (hosts, { memoryMb }) =>
      `${memoryMb} MB asked for, at most ${most(hosts, (host) => host.freeMemoryMb)} MB free`,
  },
  {
    name: 'DiskFilter',
    isAlways: true,
    passes: ({ freeDiskGb }, { diskGb }) => diskGb <= freeDiskGb,
    explain: (hosts, { diskGb }) =>
      `${diskGb} GB asked for, at most ${most(hosts, (host) => host.freeDiskGb)} GB free`,
  },
];
