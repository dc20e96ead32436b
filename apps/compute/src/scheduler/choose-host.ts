/**
 * Scheduling as a pure function: from the hosts' resources and a server's needs to a host, or to
 * which filter refused how many. Public source: Nova admin guide, "Compute schedulers".
 */
import { SILENCE_SECONDS } from '../hosts/liveness.js';

/** A host with its free resources. */
export interface Candidate {
  readonly name: string;
  readonly enabled: boolean;
  /** Seconds since its agent was last heard from. */
  readonly silentSeconds: number;
  readonly freeVcpus: number;
  readonly freeMemoryMb: number;
  readonly freeDiskGb: number;
}

export interface Demand {
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
}

export interface Filter {
  readonly name: string;
  passes(host: Candidate, demand: Demand): boolean;
  /** Why the remaining hosts did not pass, for the server's owner. */
  explain(hosts: readonly Candidate[], demand: Demand): string;
}

const most = (hosts: readonly Candidate[], of: (host: Candidate) => number): number =>
  Math.max(0, ...hosts.map(of));

export const FILTERS: readonly Filter[] = [
  {
    name: 'ComputeFilter',
    passes: ({ enabled, silentSeconds }) => enabled && silentSeconds <= SILENCE_SECONDS,
    explain: () => 'disabled or not heard of',
  },
  {
    name: 'VcpuFilter',
    passes: ({ freeVcpus }, { vcpus }) => vcpus <= freeVcpus,
    explain: (hosts, { vcpus }) =>
      `${vcpus} VCPUs asked for, at most ${most(hosts, (host) => host.freeVcpus)} free`,
  },
  {
    name: 'RamFilter',
    passes: ({ freeMemoryMb }, { memoryMb }) => memoryMb <= freeMemoryMb,
    explain: (hosts, { memoryMb }) =>
      `${memoryMb} MB asked for, at most ${most(hosts, (host) => host.freeMemoryMb)} MB free`,
  },
  {
    name: 'DiskFilter',
    passes: ({ freeDiskGb }, { diskGb }) => diskGb <= freeDiskGb,
    explain: (hosts, { diskGb }) =>
      `${diskGb} GB asked for, at most ${most(hosts, (host) => host.freeDiskGb)} GB free`,
  },
];

export type Choice = { readonly host: string } | { readonly refusal: string };

/** Of the hosts that pass every filter, the one with the most free memory; ties go by name. */
export function chooseHost(hosts: readonly Candidate[], demand: Demand): Choice {
  if (hosts.length === 0) return { refusal: 'No valid host was found: there are no hosts.' };
  const refusals: string[] = [];
  let left = hosts;
  for (const filter of FILTERS) {
    const passing = left.filter((host) => filter.passes(host, demand));
    const refused = left.length - passing.length;
    if (refused > 0) {
      refusals.push(
        `${filter.name} refused ${refused} of ${left.length} (${filter.explain(left, demand)})`,
      );
    }
    left = passing;
  }
  const [best] = [...left].sort(
    (one, other) => other.freeMemoryMb - one.freeMemoryMb || one.name.localeCompare(other.name),
  );
  return best
    ? { host: best.name }
    : { refusal: `No valid host was found: ${refusals.join('; ')}.` };
}
