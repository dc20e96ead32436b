/** Public source: octavia, `api/v2/types/load_balancer.py`; Load Balancer API v2 reference. */
import { Column, Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import { attribute, computed, shownOnly } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { listOf, objectOf, oneOf, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { oneOf as isOneOf } from '@cumulet/common/tables/condition';
import { AvailabilityZone } from '../availability-zones/availability-zone.resource.js';
import { Flavor } from '../flavors/flavor.resource.js';
import { Host } from '../hosts/host.entity.js';
import { OctaviaTable } from '../resources/octavia-table.js';
import { ValidationExceptionError } from '../resources/octavia.errors.js';
import { UNLISTED } from '../resources/resource.js';
import {
  arrayOf,
  ipAddress,
  orDefault,
  withDefault,
  PROVISIONING_STATUSES,
} from '../resources/values.js';
import type { LoadBalancerState } from './load-balancer.states.js';
import { idsOf, LoadBalancerColumns } from './tree.columns.js';

const once = { given: 'at-creation' } as const;

export interface AskedAddress {
  readonly subnet_id: string;
  readonly ip_address?: string | null;
  readonly port_id?: string | null;
}

const additionalVip = objectOf<AskedAddress>(
  { subnet_id: uuid, ip_address: orNull(ipAddress), port_id: orNull(uuid) },
  ['ip_address', 'port_id'],
);

/** An address on another subnet of the VIP's network. */
export interface AdditionalVip {
  readonly subnet_id: string;
  /** Null until its port is there. */
  readonly ip_address: string | null;
}

interface Addressed {
  readonly vipPortId: string | null;
  readonly additionalVips: readonly AdditionalVip[];
}

export const LOAD_BALANCER = {
  provisioningStatus: computed(oneOf(PROVISIONING_STATUSES), {
    about:
      'The provisioning status; PENDING_… until the requested change to it, or to a part of it, has been applied.',
    property: 'state',
    from: ({ state }: { readonly state: LoadBalancerState }) => state.toUpperCase(),
    filter: (values) =>
      isOneOf(
        'state',
        values.map((one) => one.toLowerCase()),
      ),
  }),
  provisioningStatusReason: computed(orNull(text(1000)), {
    about: 'Why it is in ERROR, or what it is waiting for.',
    property: 'stateReason',
    ...UNLISTED,
  }),
  vipAddress: attribute(orNull(ipAddress), {
    about: 'The IP address; null until the port exists.',
    ...once,
  }),
  vipPortId: attribute(orNull(uuid), {
    about: 'The ID of the port that has the address.',
    ...once,
  }),
  vipSubnetId: attribute(orNull(uuid), { about: 'The ID of the subnet of the address.', ...once }),
  vipNetworkId: attribute(orNull(uuid), {
    about: 'The ID of the network of the address.',
    ...once,
  }),
  vipQosPolicyId: attribute(orNull(uuid), { about: 'The ID of the QoS policy of the port.' }),
  vipVnicType: shownOnly(text(), {
    about: 'The VNIC type of the port.',
    column: { default: 'normal' },
  }),
  vipSgIds: withDefault(arrayOf(uuid), [], {
    about:
      'The IDs of the security groups of the port. By default, it has a group that allows traffic to the listeners.',
    ...UNLISTED,
  }),
  additionalVips: attribute(orDefault(listOf(additionalVip, 16), []), {
    about: 'Further addresses, on other subnets of the same network.',
    default: [],
    from: ({ additionalVips, vipPortId }: Addressed) =>
      additionalVips.map((one) => ({ ...one, port_id: vipPortId })),
    ...once,
    ...UNLISTED,
  }),
  provider: attribute(orNull(text(64)), {
    about: 'The name of the provider.',
    column: { nullable: false },
    ...once,
  }),
  flavorId: attribute(orNull(uuid), { about: 'The ID of the flavor.', ...once }),
  availabilityZone: attribute(orNull(text()), {
    about: 'The name of the availability zone.',
    ...once,
  }),
};

@Entity('load_balancers')
@Index('load_balancers_project_idx', ['projectId', 'createdAt', 'id'])
@Index('load_balancers_host_idx', ['host'])
@Index('load_balancers_vip_port_idx', ['vipPortId'])
@Index('load_balancers_flavor_idx', ['flavorId'])
@Index('load_balancers_availability_zone_idx', ['availabilityZone'])
@ForeignKey(() => Flavor, ['flavorId'], ['id'], { name: 'load_balancers_flavor_fkey' })
@ForeignKey(() => AvailabilityZone, ['availabilityZone'], ['id'], {
  name: 'load_balancers_availability_zone_fkey',
})
@ForeignKey(() => Host, ['host'], ['name'], { name: 'load_balancers_host_fkey' })
export class LoadBalancer extends rowOf(LOAD_BALANCER, LoadBalancerColumns) {
  declare state: LoadBalancerState;
  declare provider: string;
  declare additionalVips: AdditionalVip[];

  /** Whether the port was made for it, and goes with it. */
  @Column('boolean', { name: 'owns_vip_port', default: true })
  ownsVipPort: boolean;

  /**
   * Whether its port is to have its groups set: when it is made, asked to change or moved. A change of
   * its parts leaves those that somebody has given the port since.
   */
  @Column('boolean', { name: 'vip_groups_due', default: true })
  vipGroupsDue: boolean;

  /** The agent that runs it; null while none does. */
  @Column('text', { nullable: true })
  host: string | null;

  @VirtualColumn('uuid', { query: (table) => idsOf('listeners', `load_balancer_id = ${table}.id`) })
  listenerIds: string[];

  @VirtualColumn('uuid', { query: (table) => idsOf('pools', `load_balancer_id = ${table}.id`) })
  poolIds: string[];
}

/** All of its addresses, the VIP first; null where one is not known yet. */
export function addressesOf(
  row: Pick<LoadBalancer, 'vipAddress' | 'additionalVips'>,
): (string | null)[] {
  return [row.vipAddress, ...row.additionalVips.map((one) => one.ip_address)];
}

export const loadBalancers = new OctaviaTable(
  LoadBalancer,
  'Load Balancer',
  // They went while it was being made.
  {
    load_balancers_flavor_fkey: () => new ValidationExceptionError('Invalid flavor_id.'),
    load_balancers_availability_zone_fkey: () =>
      new ValidationExceptionError('Invalid availability_zone.'),
  },
);
