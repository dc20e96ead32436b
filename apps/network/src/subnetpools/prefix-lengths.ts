/**
 * Which lengths the prefixes have that a pool gives to subnets. Public source: neutron,
 * `SubnetPoolHelper` in `ipam/subnet_alloc.py`.
 */
import type { IpVersion } from '@cumulet/common/addresses/ip-address';
import type { Subnetpool } from './subnetpool.entity.js';
import { IllegalSubnetPoolPrefixBoundsError } from './subnetpool.errors.js';

export type PrefixLengths = Pick<Subnetpool, 'defaultPrefixlen' | 'minPrefixlen' | 'maxPrefixlen'>;

const MIN = { 4: 8, 6: 64 } as const;
const MAX = { 4: 32, 6: 128 } as const;

/** What was asked for, and the defaults of its version. @throws IllegalSubnetPoolPrefixBoundsError */
export function prefixLengths(version: IpVersion, asked: Partial<PrefixLengths>): PrefixLengths {
  const { minPrefixlen = MIN[version], maxPrefixlen = MAX[version] } = asked;
  const { defaultPrefixlen = minPrefixlen } = asked;
  const bounds = [
    ['min_prefixlen', minPrefixlen, 'max_prefixlen', maxPrefixlen, minPrefixlen <= maxPrefixlen],
    ['max_prefixlen', maxPrefixlen, 'ip_version_max', MAX[version], maxPrefixlen <= MAX[version]],
    [
      'default_prefixlen',
      defaultPrefixlen,
      'min_prefixlen',
      minPrefixlen,
      defaultPrefixlen >= minPrefixlen,
    ],
    [
      'default_prefixlen',
      defaultPrefixlen,
      'max_prefixlen',
      maxPrefixlen,
      defaultPrefixlen <= maxPrefixlen,
    ],
  ] as const;
  for (const [bound, value, base, limit, holds] of bounds)
    if (!holds) throw new IllegalSubnetPoolPrefixBoundsError(bound, value, base, limit);
  return { defaultPrefixlen, minPrefixlen, maxPrefixlen };
}
