/** Each filter by itself: which of two hosts it passes, and its explanation. */
import { describe, expect, it } from '@jest/globals';
import { candidate, inAggregate, request } from './candidate.fixture.js';
import type { Candidate } from './candidate.js';
import { chooseHost, FILTERS } from './choose-host.js';
import type { GroupRequest, HostRequest } from './host-request.js';

const group = (policy: GroupRequest['policy'], members: [string, number][], maxPerHost = 1) => ({
  group: { policy, maxPerHost, members: new Map(members) },
});

const both = [candidate('a'), candidate('b')] as const;

interface Case {
  readonly filter: string;
  /** `a` passes, and `b` does not. */
  readonly hosts?: readonly Candidate[];
  readonly wants: Partial<HostRequest>;
  readonly says: string;
}

const CASES: readonly Case[] = [
  { filter: 'RetryFilter', wants: { excluded: ['b'] }, says: 'tried before, or left' },
  { filter: 'RequestedDestinationFilter', wants: { host: 'a' }, says: 'a was asked for' },
  {
    filter: 'ComputeFilter',
    hosts: [candidate('a'), candidate('b', { enabled: false })],
    wants: {},
    says: 'disabled or not heard of',
  },
  {
    filter: 'AvailabilityZoneFilter',
    hosts: [candidate('a', { zone: 'east' }), candidate('b')],
    wants: { zone: 'east' },
    says: 'the zone east was asked for',
  },
  {
    filter: 'VcpuFilter',
    hosts: [candidate('a'), candidate('b', { usedVcpus: 7 })],
    wants: {},
    says: '2 VCPUs asked for, at most 8 free',
  },
  {
    filter: 'RamFilter',
    hosts: [candidate('a'), candidate('b', { usedMemoryMb: 4000 })],
    wants: {},
    says: '1024 MB asked for, at most 4096 MB free',
  },
  {
    filter: 'DiskFilter',
    hosts: [candidate('a'), candidate('b', { usedDiskGb: 95 })],
    wants: {},
    says: '10 GB asked for, at most 100 GB free',
  },
  {
    filter: 'AggregateInstanceExtraSpecsFilter',
    hosts: [inAggregate('a', { ssd: 'true' }), inAggregate('b', { ssd: 'false' })],
    wants: { extraSpecs: { 'aggregate_instance_extra_specs:ssd': 'true', ssd: 'no' } },
    says: 'no aggregate with ssd true',
  },
  {
    filter: 'AggregateTypeAffinityFilter',
    hosts: [
      inAggregate('a', { instance_type: 'm1.tiny, m1.small' }),
      inAggregate('b', { instance_type: 'big' }),
    ],
    wants: {},
    says: 'kept for other flavors than m1.small',
  },
  {
    filter: 'AggregateImagePropertiesIsolation',
    hosts: [candidate('a'), inAggregate('b', { os_distro: 'windows' })],
    wants: { imageProperties: { os_distro: 'debian' } },
    says: 'kept for images with other properties',
  },
  {
    filter: 'ComputeCapabilitiesFilter',
    hosts: [
      candidate('a', { cpu: { arch: 'x86_64', vendor: 'AMD' } }),
      candidate('b', { cpu: { arch: 'x86_64', vendor: 'Intel' } }),
    ],
    wants: {
      extraSpecs: { 'capabilities:cpu_info:vendor': 'AMD', 'hw:cpu_sockets': '2', own: 'x' },
    },
    says: "without what the flavor's extra specs require",
  },
  {
    filter: 'ImagePropertiesFilter',
    hosts: [candidate('a', { cpu: { arch: 'aarch64' } }), candidate('b')],
    wants: { imageProperties: { hw_architecture: 'ARM64' } },
    says: 'no host has hw_architecture ARM64',
  },
  {
    filter: 'SameHostFilter',
    wants: { besideHosts: ['a'] },
    says: 'without a server of same_host',
  },
  {
    filter: 'DifferentHostFilter',
    wants: { apartHosts: ['b'] },
    says: 'with a server of different_host',
  },
  {
    filter: 'SimpleCIDRAffinityFilter',
    hosts: [candidate('a', { address: '192.0.2.200' }), candidate('b', { address: '192.0.3.1' })],
    wants: { near: '192.0.2.7/24' },
    says: 'not in 192.0.2.7/24',
  },
  {
    filter: 'ServerGroupAffinityFilter',
    wants: group('affinity', [['a', 1]]),
    says: 'without a server of the group',
  },
  {
    filter: 'ServerGroupAntiAffinityFilter',
    wants: group('anti-affinity', [['b', 1]]),
    says: 'with a server of the group',
  },
  {
    filter: 'ServerGroupAntiAffinityFilter',
    wants: group(
      'anti-affinity',
      [
        ['a', 1],
        ['b', 2],
      ],
      2,
    ),
    says: 'with 2 servers of the group',
  },
  {
    filter: 'JsonFilter',
    hosts: [candidate('a'), candidate('b', { usedMemoryMb: 2048 })],
    wants: { query: ['>=', '$free_ram_mb', 4096] },
    says: 'not what the query asks for',
  },
];

describe.each(CASES)('$filter ($says)', ({ filter, hosts = both, wants, says }) => {
  const [good, bad] = hosts as [Candidate, Candidate];

  it('passes one host, and refuses the other', () => {
    const found = FILTERS.find(({ name }) => name === filter);
    expect(found?.passes(good, request(wants))).toBe(true);
    expect(found?.passes(bad, request(wants))).toBe(false);
    expect(chooseHost([bad, good], request(wants))).toEqual({ host: 'a' });
  });

  it('explains the refusal', () => {
    const choice = chooseHost([bad], request(wants));
    const most = says.replace(/at most \d+/, 'at most ');
    expect(choice).toEqual({
      refusal: expect.stringContaining(`${filter} refused 1 of 1 (${most.split('at most')[0]}`),
    });
  });
});

it('every filter has a case', () => {
  const tested = new Set(CASES.map(({ filter }) => filter));
  expect(FILTERS.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
});

it('passes every host if nothing is requested', () => {
  for (const { passes } of FILTERS) expect(passes(candidate('a'), request())).toBe(true);
});

describe('the groups', () => {
  it('of affinity let their first server go anywhere', () => {
    expect(chooseHost(both, request(group('affinity', [])))).toEqual({ host: 'a' });
  });

  it('of soft policies forbid nothing', () => {
    for (const policy of ['soft-affinity', 'soft-anti-affinity'] as const)
      expect(chooseHost([both[0]], request(group(policy, [['a', 3]])))).toEqual({ host: 'a' });
  });
});

it('of IPv6 addresses, too, finds near hosts', () => {
  const hosts = [candidate('a', { address: '2001:db8::1' }), candidate('b')];
  expect(chooseHost(hosts, request({ near: '2001:db8::ffff/64' }))).toEqual({ host: 'a' });
});
