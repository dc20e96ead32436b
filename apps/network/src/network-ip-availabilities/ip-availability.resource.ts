/**
 * How many of a network's addresses are in use, as clients see it.
 * Public source: Networking API reference, "Network IP availability and usage stats".
 */
import { shownOnly } from '@cumulet/common/resources/attribute';
import { integer, json, oneOf, text, uuid } from '@cumulet/common/resources/value-type';
import type { Network } from '../networks/network.entity.js';
import { defineBareResource, neither } from '../resource/resource.js';

/** On the wire. */
export interface SubnetAvailability {
  readonly subnet_id: string;
  readonly subnet_name: string;
  readonly ip_version: 4 | 6;
  readonly cidr: string;
  /** Rounded where there are more than 2⁵³. */
  readonly total_ips: number;
  readonly used_ips: number;
}

/** A network, whose subnets are told with their addresses. */
export type IpAvailability = Omit<Network, 'subnets'> & {
  readonly subnets: readonly SubnetAvailability[];
};

const count = integer(0, Number.MAX_SAFE_INTEGER);
const version = oneOf([4, 6]);

/** The versions of IP that a query asks for. */
export function versionsOf(values: readonly string[]): (4 | 6)[] {
  return values.flatMap((one) => (version.fromText(one) as 4 | 6 | undefined) ?? []);
}

/** Rows are networks, which lists are filtered, sorted and paged by. */
export const ipAvailabilityResource = defineBareResource({
  singular: 'network_ip_availability',
  plural: 'network_ip_availabilities',
  attributes: {
    networkId: shownOnly(uuid, { about: 'The network.', property: 'id' }),
    networkName: shownOnly(text(), { about: 'Its name.', property: 'name' }),
    projectId: shownOnly(text(), { about: 'The project whose it is.' }),
    tenantId: shownOnly(text(), { about: 'The same.', property: 'projectId' }),
    totalIps: shownOnly(count, {
      about: 'Addresses that its subnets give to ports.',
      from: ({ subnets }: IpAvailability) => sum(subnets.map((one) => one.total_ips)),
      ...neither,
    }),
    usedIps: shownOnly(count, {
      about: 'Addresses that ports have.',
      from: ({ subnets }: IpAvailability) => sum(subnets.map((one) => one.used_ips)),
      ...neither,
    }),
    subnetIpAvailability: shownOnly(json<SubnetAvailability[]>([Object]), {
      about: 'The same of each subnet.',
      from: ({ subnets }: IpAvailability) => subnets,
      ...neither,
    }),
    ipVersion: {
      ...shownOnly(version, {
        about: 'Of the subnets that count.',
        filter: (values) => (bind, column) =>
          `${column('id')} IN (SELECT network_id FROM subnets
                                WHERE ip_version = ANY(${bind(versionsOf(values))}))`,
        sort: false,
      }),
      isHidden: true,
    },
  },
});

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}
