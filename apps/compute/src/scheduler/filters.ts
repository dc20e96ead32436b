import { BlockList } from 'node:net';
import { attributeOf, type Candidate, metadataValues } from './candidate.js';
import type { HostRequest } from './host-request.js';
import { meetsExtraSpec } from './extra-spec-match.js';
import { meetsQuery } from './json-query.js';

/** A rule for hosts. Public source: Nova admin guide, "Compute schedulers: Filters". */
export interface Filter {
  /** Nova's name, which refusals show. */
  readonly name: string;
  /** Whether it applies to a forced host, too. */
  readonly isAlways?: boolean;
  passes(host: Candidate, request: HostRequest): boolean;
  /** Why the remaining hosts did not pass, for the server's owner. */
  explain(hosts: readonly Candidate[], request: HostRequest): string;
}

/** By whether hosts are up, and were requested. */
export const AVAILABILITY_FILTERS: readonly Filter[] = [
  {
    name: 'RetryFilter',
    isAlways: true,
    passes: ({ name }, { excluded }) => !excluded.includes(name),
    explain: () => 'tried before, or left',
  },
  {
    name: 'RequestedDestinationFilter',
    isAlways: true,
    passes: ({ name }, { host }) => host === undefined || name === host,
    explain: (_, { host }) => `${host} was asked for`,
  },
  {
    // A forced host may be disabled, but must be up.
    name: 'ComputeFilter',
    isAlways: true,
    passes: ({ enabled, isUp }, { isForced }) => isUp && (enabled || isForced === true),
    explain: () => 'disabled or not heard of',
  },
  {
    name: 'AvailabilityZoneFilter',
    passes: (host, { zone }) => zone === undefined || host.zone === zone,
    explain: (_, { zone }) => `the zone ${zone} was asked for`,
  },
];

/** By free resources. */
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

/** By other servers on the host. */
export const AFFINITY_FILTERS: readonly Filter[] = [
  {
    name: 'SameHostFilter',
    passes: ({ name }, { besideHosts }) => besideHosts === undefined || besideHosts.includes(name),
    explain: () => 'without a server of same_host',
  },
  {
    name: 'DifferentHostFilter',
    passes: ({ name }, { apartHosts }) => apartHosts?.includes(name) !== true,
    explain: () => 'with a server of different_host',
  },
  {
    name: 'SimpleCIDRAffinityFilter',
    passes: ({ address }, { near }) => near === undefined || isWithin(address, near),
    explain: (_, { near }) => `not in ${near}`,
  },
  {
    // The first member may go anywhere.
    name: 'ServerGroupAffinityFilter',
    passes: ({ name }, { group }) =>
      group?.policy !== 'affinity' || group.members.size === 0 || group.members.has(name),
    explain: () => 'without a server of the group',
  },
  {
    name: 'ServerGroupAntiAffinityFilter',
    passes: ({ name }, { group }) =>
      group?.policy !== 'anti-affinity' || (group.members.get(name) ?? 0) < group.maxPerHost,
    explain: (_, { group }) =>
      group?.maxPerHost === 1
        ? 'with a server of the group'
        : `with ${group?.maxPerHost} servers of the group`,
  },
];

/** @param network `192.0.2.1/24` */
function isWithin(address: string, network: string): boolean {
  const [base = '', prefix = ''] = network.split('/');
  const family = base.includes(':') ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(base, Number(prefix), family);
  return list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

/** By the metadata of hosts' aggregates. */
const AGGREGATE_SCOPE = 'aggregate_instance_extra_specs:';

export const AGGREGATE_FILTERS: readonly Filter[] = [
  {
    // Names without the scope mostly mean no aggregate.
    name: 'AggregateInstanceExtraSpecsFilter',
    passes: (host, { extraSpecs }) =>
      Object.entries(extraSpecs)
        .filter(([key]) => key.startsWith(AGGREGATE_SCOPE))
        .every(([key, required]) =>
          metadataValues(host, key.slice(AGGREGATE_SCOPE.length)).some((value) =>
            meetsExtraSpec(value, required),
          ),
        ),
    explain: (_, { extraSpecs }) =>
      `no aggregate with ${Object.entries(extraSpecs)
        .filter(([key]) => key.startsWith(AGGREGATE_SCOPE))
        .map(([key, required]) => `${key.slice(AGGREGATE_SCOPE.length)} ${required}`)
        .join(', ')}`,
  },
  {
    name: 'AggregateTypeAffinityFilter',
    passes: (host, { flavorName }) => {
      const flavors = metadataValues(host, 'instance_type');
      return flavors.length === 0 || flavors.includes(flavorName);
    },
    explain: (_, { flavorName }) => `kept for other flavors than ${flavorName}`,
  },
  {
    name: 'AggregateImagePropertiesIsolation',
    passes: (host, { imageProperties }) =>
      Object.entries(imageProperties).every(([key, property]) => {
        const values = metadataValues(host, key);
        return values.length === 0 || values.includes(property);
      }),
    explain: () => 'kept for images with other properties',
  },
];

/** By hosts' attributes, for the flavor's extra specs and the image's properties. */
const CAPABILITY_SCOPE = 'capabilities:';

/** Names without a scope count if hosts have such an attribute. */
function isCapable(host: Candidate, key: string, required: string): boolean {
  const isScoped = key.startsWith(CAPABILITY_SCOPE);
  if (!isScoped && key.includes(':')) return true;
  const value = attributeOf(host, (isScoped ? key.slice(CAPABILITY_SCOPE.length) : key).split(':'));
  if (value === undefined) return !isScoped;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return meetsExtraSpec(text, required);
}

const ARCHITECTURES: Readonly<Record<string, string>> = {
  amd64: 'x86_64',
  x64: 'x86_64',
  arm64: 'aarch64',
};
/** QEMU's names, with either accelerator. */
const HYPERVISORS = ['qemu', 'kvm'];

type Property = (host: Candidate, wanted: string) => boolean;

const PROPERTIES: Readonly<Record<string, Property>> = {
  hw_architecture: ({ cpu }, wanted) =>
    cpu.arch === undefined || cpu.arch === (ARCHITECTURES[wanted] ?? wanted),
  img_hv_type: (_, wanted) => HYPERVISORS.includes(wanted),
  hw_vm_mode: (_, wanted) => wanted === 'hvm',
};

export const CAPABILITY_FILTERS: readonly Filter[] = [
  {
    name: 'ComputeCapabilitiesFilter',
    passes: (host, { extraSpecs }) =>
      Object.entries(extraSpecs).every(([key, required]) => isCapable(host, key, required)),
    explain: () => "without what the flavor's extra specs require",
  },
  {
    name: 'ImagePropertiesFilter',
    passes: (host, { imageProperties }) =>
      Object.entries(PROPERTIES).every(([name, fits]) => {
        const wanted = imageProperties[name]?.toLowerCase();
        return wanted === undefined || wanted === '' || fits(host, wanted);
      }),
    explain: (_, { imageProperties }) =>
      `no host has ${Object.keys(PROPERTIES)
        .filter((name) => imageProperties[name] !== undefined)
        .map((name) => `${name} ${imageProperties[name]}`)
        .join(', ')}`,
  },
];

/** By the JSON query among the hints. */
export const QUERY_FILTERS: readonly Filter[] = [
  {
    name: 'JsonFilter',
    passes: (host, { query }) => query === undefined || meetsQuery(host, query),
    explain: () => 'not what the query asks for',
  },
];
