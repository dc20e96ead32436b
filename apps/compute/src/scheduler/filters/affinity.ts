/** Filters by what else is on a host. */
import { BlockList } from 'node:net';
import type { Filter } from './filter.js';

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
