/** Filters by whether hosts are there, and are those that were asked for. */
import type { Filter } from './filter.js';

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
    // Who forces a host takes one that is disabled as well, but none that cannot answer.
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
