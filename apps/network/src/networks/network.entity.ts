import { Column, Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import { QosPolicy } from '../qos/qos-policy.entity.js';
import { sharedTargets } from '../rbac-policies/sharing.js';
import { zonesAsked } from '../availability-zones/zones.js';
import { StatefulResourceColumns } from '../resource/resource.columns.js';
import type { NetworkState } from './network.states.js';

/** How a network's packets travel between hosts. */
export const NETWORK_TYPES = ['geneve', 'flat', 'vlan', 'local'] as const;
export type NetworkType = (typeof NETWORK_TYPES)[number];

@Entity('networks')
@Index('networks_project_idx', ['projectId', 'id'])
@Index('networks_qos_policy_idx', ['qosPolicyId'])
@Index('networks_segment_key', { synchronize: false })
@Index('networks_default_key', { synchronize: false })
export class Network extends StatefulResourceColumns {
  declare state: NetworkState;

  @Column('boolean', { name: 'admin_state_up', default: true })
  adminStateUp: boolean;

  /** Whether every project may use it: whether there is a policy that says so. */
  @Column('boolean', { default: false })
  shared: boolean;

  /** Whether routers may have a gateway on it: those of the projects that its policies name. */
  @Column('boolean', { name: 'is_external', default: false })
  isExternal: boolean;

  /** Whether it is the external network that topologies are made with. */
  @Column('boolean', { name: 'is_default', default: false })
  isDefault: boolean;

  /** Bytes. */
  @Column('integer')
  mtu: number;

  @Column('boolean', { name: 'port_security_enabled', default: true })
  portSecurityEnabled: boolean;

  @Column('text', { name: 'dns_domain', default: '' })
  dnsDomain: string;

  @Column('text', { name: 'network_type' })
  networkType: NetworkType;

  @Column('text', { name: 'physical_network', nullable: true })
  physicalNetwork: string | null;

  /** Of a tunnel or VLAN. */
  @Column('integer', { name: 'segmentation_id', nullable: true })
  segmentationId: number | null;

  /** What administrators call its segment; null while they do not. */
  @Column('text', { name: 'segment_name', nullable: true })
  segmentName: string | null;

  @Column('text', { name: 'segment_description', nullable: true })
  segmentDescription: string | null;

  /** What the traffic of its ports is limited to. */
  @Column('uuid', { name: 'qos_policy_id', nullable: true })
  @ForeignKey(() => QosPolicy, { name: 'networks_qos_policy_fkey' })
  qosPolicyId: string | null;

  /** The availability zones that it asked for. */
  @Column('text', { name: 'availability_zone_hints', array: true, default: () => `'{}'` })
  availabilityZoneHints: string[];

  /** Those of them that there are, or all. */
  @VirtualColumn('text', { query: zonesAsked })
  availabilityZones: string[];

  /** Ids, the oldest first. */
  @VirtualColumn('text', {
    query: (network) =>
      `SELECT COALESCE(array_agg(id::text ORDER BY created_at, id), '{}')
         FROM subnets WHERE network_id = ${network}.id`,
  })
  subnets: string[];

  /** Projects that it is shared with, and `*` for everyone. */
  @VirtualColumn('text', {
    query: sharedTargets,
  })
  sharedWith: string[];

  /** The address scopes of its subnets' pools: one of each version. */
  @VirtualColumn('uuid', { query: (network) => scopeOf(network, 4) })
  ipv4AddressScope: string | null;

  @VirtualColumn('uuid', { query: (network) => scopeOf(network, 6) })
  ipv6AddressScope: string | null;
}

function scopeOf(network: string, version: 4 | 6): string {
  return `SELECT address_scope_id
            FROM subnets JOIN subnetpools ON subnetpools.id = subnetpool_id
           WHERE network_id = ${network}.id AND subnets.ip_version = ${version}
             AND address_scope_id IS NOT NULL LIMIT 1`;
}
