import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { rowOf } from '@cumulet/common/resources/classes';
import { Network } from '../networks/network.entity.js';
import { Subnetpool } from '../subnetpools/subnetpool.resource.js';
import { subnetResource, type Ipv6Mode } from './subnet.resource.js';

@Entity('subnets')
@Index('subnets_project_idx', ['projectId', 'id'])
@Index('subnets_network_idx', ['networkId'])
@Index('subnets_subnetpool_idx', ['subnetpoolId'])
@ForeignKey(() => Network, ['networkId'], ['id'], { name: 'subnets_network_fkey' })
@ForeignKey(() => Subnetpool, ['subnetpoolId'], ['id'], { name: 'subnets_subnetpool_fkey' })
export class Subnet extends rowOf(subnetResource.attributes) {}

/** Whether hosts derive their addresses from their MACs (SLAAC). */
export function isAutoAddressed({ ipv6AddressMode, ipv6RaMode }: Subnet): boolean {
  const auto: readonly (Ipv6Mode | null)[] = ['slaac', 'dhcpv6-stateless'];
  return auto.includes(ipv6AddressMode) || (ipv6AddressMode === null && auto.includes(ipv6RaMode));
}

/** Free addresses of a subnet's pools, from `first` to `last`. */
@Entity('address_ranges')
@Check('address_ranges_order_check', 'first <= last')
export class AddressRange {
  @PrimaryColumn('uuid', { name: 'subnet_id', primaryKeyConstraintName: 'address_ranges_pkey' })
  @ForeignKey(() => Subnet, { name: 'address_ranges_subnet_fkey', onDelete: 'CASCADE' })
  subnetId: string;

  @Column('inet')
  first: string;

  /** Addresses are taken from the front: the key stays the same, so Postgres updates in place. */
  @PrimaryColumn('inet', { primaryKeyConstraintName: 'address_ranges_pkey' })
  last: string;
}
