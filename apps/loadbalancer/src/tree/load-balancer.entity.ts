import { Column, Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import { AvailabilityZone } from '../availability-zones/availability-zone.resource.js';
import { Flavor } from '../flavors/flavor.resource.js';
import { Host } from '../hosts/host.entity.js';
import { OctaviaTable } from '../resources/octavia-table.js';
import { ValidationExceptionError } from '../resources/octavia.errors.js';
import type { LoadBalancerState } from './load-balancer.states.js';
import { idsOf, LoadBalancerColumns } from './tree.columns.js';

/** An address on another subnet of the VIP's network. */
export interface AdditionalVip {
  readonly subnet_id: string;
  /** Null until its port is there. */
  readonly ip_address: string | null;
}

@Entity('load_balancers')
@Index('load_balancers_project_idx', ['projectId', 'createdAt', 'id'])
@Index('load_balancers_host_idx', ['host'])
@Index('load_balancers_vip_port_idx', ['vipPortId'])
@Index('load_balancers_flavor_idx', ['flavorId'])
@Index('load_balancers_availability_zone_idx', ['availabilityZone'])
export class LoadBalancer extends LoadBalancerColumns {
  declare state: LoadBalancerState;

  /** What runs it, as clients name it. */
  @Column('text')
  provider: string;

  @ForeignKey(() => Flavor, { name: 'load_balancers_flavor_fkey' })
  @Column('uuid', { name: 'flavor_id', nullable: true })
  flavorId: string | null;

  @ForeignKey(() => AvailabilityZone, { name: 'load_balancers_availability_zone_fkey' })
  @Column('text', { name: 'availability_zone', nullable: true })
  availabilityZone: string | null;

  /** Null until its port is there. */
  @Column('text', { name: 'vip_address', nullable: true })
  vipAddress: string | null;

  @Column('uuid', { name: 'vip_port_id', nullable: true })
  vipPortId: string | null;

  /** Whether the port was made for it, and goes with it. */
  @Column('boolean', { name: 'owns_vip_port', default: true })
  ownsVipPort: boolean;

  @Column('uuid', { name: 'vip_subnet_id', nullable: true })
  vipSubnetId: string | null;

  @Column('uuid', { name: 'vip_network_id', nullable: true })
  vipNetworkId: string | null;

  @Column('uuid', { name: 'vip_qos_policy_id', nullable: true })
  vipQosPolicyId: string | null;

  @Column('text', { name: 'vip_vnic_type', default: 'normal' })
  vipVnicType: string;

  /** The groups that the client has given the port; without any, it has one of its own. */
  @Column('uuid', { name: 'vip_sg_ids', array: true, default: () => `'{}'` })
  vipSgIds: string[];

  /**
   * Whether its port is to have them set: when it is made, asked to change or moved. A change of its
   * parts leaves those that somebody has given the port since.
   */
  @Column('boolean', { name: 'vip_groups_due', default: true })
  vipGroupsDue: boolean;

  @Column('jsonb', { name: 'additional_vips', default: () => `'[]'` })
  additionalVips: AdditionalVip[];

  /** The agent that runs it; null while none does. */
  @ForeignKey(() => Host, { name: 'load_balancers_host_fkey' })
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
