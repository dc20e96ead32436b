import { Column, Entity, ForeignKey, Index, VirtualColumn, Check, PrimaryColumn } from 'typeorm';
import { Network } from '../networks/network.entity.js';
import { ResourceColumns } from '../resource/resource.columns.js';
import { Subnetpool } from '../subnetpools/subnetpool.entity.js';
import type { AllocationPool } from './allocation-pools.js';

export const IPV6_MODES = ['dhcpv6-stateful', 'dhcpv6-stateless', 'slaac'] as const;
export type Ipv6Mode = (typeof IPV6_MODES)[number];

export interface HostRoute {
  readonly destination: string;
  readonly nexthop: string;
}

@Entity('subnets')
@Index('subnets_project_idx', ['projectId', 'id'])
@Index('subnets_network_idx', ['networkId'])
@Index('subnets_subnetpool_idx', ['subnetpoolId'])
export class Subnet extends ResourceColumns {
  @Column('uuid', { name: 'network_id' })
  @ForeignKey(() => Network, { name: 'subnets_network_fkey' })
  networkId: string;

  @Column('integer', { name: 'ip_version' })
  ipVersion: 4 | 6;

  @Column('cidr')
  cidr: string;

  @Column('text', { name: 'gateway_ip', nullable: true })
  gatewayIp: string | null;

  @Column('jsonb', { name: 'allocation_pools' })
  allocationPools: AllocationPool[];

  @Column('jsonb', { name: 'dns_nameservers', default: [] })
  dnsNameservers: string[];

  @Column('jsonb', { name: 'host_routes', default: [] })
  hostRoutes: HostRoute[];

  @Column('boolean', { name: 'enable_dhcp', default: true })
  enableDhcp: boolean;

  @Column('text', { name: 'ipv6_ra_mode', nullable: true })
  ipv6RaMode: Ipv6Mode | null;

  @Column('text', { name: 'ipv6_address_mode', nullable: true })
  ipv6AddressMode: Ipv6Mode | null;

  /** Owners of the ports that get addresses here; of any if there are none. */
  @Column('text', { name: 'service_types', array: true, default: () => `'{}'` })
  serviceTypes: string[];

  /** The pool that its addresses are of. */
  @Column('uuid', { name: 'subnetpool_id', nullable: true })
  @ForeignKey(() => Subnetpool, { name: 'subnets_subnetpool_fkey' })
  subnetpoolId: string | null;

  /** Whether its network is one that routers may have a gateway on. */
  @VirtualColumn('boolean', {
    query: (subnet) => `SELECT is_external FROM networks WHERE networks.id = ${subnet}.network_id`,
  })
  isExternal: boolean;
}

/** Whether hosts make their addresses themselves, of their MACs. */
export function isAutoAddressed({ ipv6AddressMode, ipv6RaMode }: Subnet): boolean {
  const auto: readonly (Ipv6Mode | null)[] = ['slaac', 'dhcpv6-stateless'];
  return auto.includes(ipv6AddressMode) || (ipv6AddressMode === null && auto.includes(ipv6RaMode));
}

/** Addresses of a subnet's pools that nobody has, from `first` to `last`. */
@Entity('address_ranges')
@Check('address_ranges_order_check', 'first <= last')
export class AddressRange {
  @PrimaryColumn('uuid', { name: 'subnet_id', primaryKeyConstraintName: 'address_ranges_pkey' })
  @ForeignKey(() => Subnet, { name: 'address_ranges_subnet_fkey', onDelete: 'CASCADE' })
  subnetId: string;

  @Column('inet')
  first: string;

  /** What is taken is taken from the front: the key stays, and Postgres updates in place. */
  @PrimaryColumn('inet', { primaryKeyConstraintName: 'address_ranges_pkey' })
  last: string;
}
