/**
 * The IP address usage of a network. Public source: Networking API reference, "Network IP
 * availability and usage stats".
 */
import { shownOnly } from '@cumulet/common/resources/attribute';
import { integer, json, oneOf, text, uuid } from '@cumulet/common/resources/value-type';
import type { Network } from '../networks/network.entity.js';
import { defineBareResource, neither } from '../resource/resource.js';

export interface SubnetAvailability {
  readonly subnet_id: string;
  readonly subnet_name: string;
  readonly ip_version: 4 | 6;
  readonly cidr: string;
  /** Rounded above 2⁵³. */
  readonly total_ips: number;
  readonly used_ips: number;
}

/** A network with the usage of its subnets. */
export type IpAvailability = Omit<Network, 'subnets'> & {
  readonly subnets: readonly SubnetAvailability[];
};

const count = integer(0, Number.MAX_SAFE_INTEGER);
const version = oneOf([4, 6]);

/** The IP versions in a query. */
export function versionsOf(values: readonly string[]): (4 | 6)[] {
  return values.flatMap((one) => (version.fromText(one) as 4 | 6 | undefined) ?? []);
}

/** Rows are networks, by whose columns lists are filtered, sorted and paged. */
export const ipAvailabilityResource = defineBareResource({
  singular: 'network_ip_availability',
  plural: 'network_ip_availabilities',
  attributes: {
    networkId: shownOnly(uuid, { about: 'The ID of the network.', property: 'id' }),
    networkName: shownOnly(text(), { about: 'The name of the network.', property: 'name' }),
    projectId: shownOnly(text(), { about: 'The ID of the project that owns the network.' }),
    tenantId: shownOnly(text(), { about: 'The same as `project_id`.', property: 'projectId' }),
    totalIps: shownOnly(count, {
      about: 'The number of addresses in the allocation pools.',
      from: ({ subnets }: IpAvailability) => sum(subnets.map((one) => one.total_ips)),
      ...neither,
    }),
    usedIps: shownOnly(count, {
      about: 'The number of addresses that ports have.',
      from: ({ subnets }: IpAvailability) => sum(subnets.map((one) => one.used_ips)),
      ...neither,
    }),
    subnetIpAvailability: shownOnly(json<SubnetAvailability[]>([Object]), {
      about: 'The usage of each subnet.',
      from: ({ subnets }: IpAvailability) => subnets,
      ...neither,
    }),
    ipVersion: {
      ...shownOnly(version, {
        about: 'The IP version of subnets to count.',
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
