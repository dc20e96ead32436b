import { Column, Entity, ForeignKey, Index, VirtualColumn, PrimaryColumn } from 'typeorm';
import type { Vif } from '../data-plane/data-plane.js';
import type { AgentConfigurations } from '../agents/agent.entity.js';
import { Network } from '../networks/network.entity.js';
import { QosPolicy } from '../qos/qos-policy.entity.js';
import { SecurityGroup } from '../security-groups/security-group.entity.js';
import { StatefulResourceColumns } from '../resource/resource.columns.js';
import type { PortState } from './port.states.js';
import { Subnet } from '../subnets/subnet.entity.js';

export interface FixedIp {
  readonly subnet_id: string;
  readonly ip_address: string;
}

/** What a port may send from besides its own addresses. */
export interface AddressPair {
  readonly ip_address: string;
  readonly mac_address: string;
}

export interface DhcpOption {
  readonly opt_name: string;
  readonly opt_value: string;
  readonly ip_version: number;
}

@Entity('ports')
@Index('ports_project_idx', ['projectId', 'id'])
@Index('ports_network_project_idx', ['networkProjectId', 'id'])
@Index('ports_network_idx', ['networkId', 'id'])
@Index('ports_device_idx', ['deviceId'])
@Index('ports_qos_policy_idx', ['qosPolicyId'])
@Index('ports_mac_key', ['networkId', 'macAddress'], {
  unique: true,
  where: `state <> 'removing'`,
})
export class Port extends StatefulResourceColumns {
  declare state: PortState;

  @Column('uuid', { name: 'network_id' })
  @ForeignKey(() => Network, { name: 'ports_network_fkey' })
  networkId: string;

  /** Of the network; written by Postgres. */
  @Column('text', { name: 'network_project_id', default: '' })
  networkProjectId: string;

  @Column('boolean', { name: 'admin_state_up', default: true })
  adminStateUp: boolean;

  @Column('text', { name: 'mac_address' })
  macAddress: string;

  /** What it is plugged into: a server's id. */
  @Column('text', { name: 'device_id', default: '' })
  deviceId: string;

  /** What kind of thing that is: `compute:nova`. */
  @Column('text', { name: 'device_owner', default: '' })
  deviceOwner: string;

  /** The host where it is plugged in; empty while it is not. */
  @Column('text', { name: 'host_id', default: '' })
  hostId: string;

  @Column('text', { name: 'vnic_type', default: 'normal' })
  vnicType: string;

  @Column('jsonb', { name: 'binding_profile', default: {} })
  bindingProfile: Record<string, unknown>;

  @Column('boolean', { name: 'port_security_enabled' })
  portSecurityEnabled: boolean;

  @Column('jsonb', { name: 'allowed_address_pairs', default: [] })
  allowedAddressPairs: AddressPair[];

  @Column('jsonb', { name: 'extra_dhcp_opts', default: [] })
  extraDhcpOpts: DhcpOption[];

  @Column('text', { name: 'dns_name', default: '' })
  dnsName: string;

  /** What its traffic is limited to, before what its network's is. */
  @Column('uuid', { name: 'qos_policy_id', nullable: true })
  @ForeignKey(() => QosPolicy, { name: 'ports_qos_policy_fkey' })
  qosPolicyId: string | null;

  @VirtualColumn('uuid', {
    query: (port) => `SELECT qos_policy_id FROM networks WHERE id = ${port}.network_id`,
  })
  qosNetworkPolicyId: string | null;

  /** How it is plugged in once it is bound; null before anything carries the cloud's packets. */
  @VirtualColumn('jsonb', { query: () => 'SELECT vif FROM data_plane_kind' })
  vif: Vif | null;

  /** What its host says of itself; null where it is bound to none that is known. */
  @VirtualColumn('jsonb', {
    query: (port) => `SELECT configurations FROM agents WHERE agents.host = ${port}.host_id`,
  })
  hostConfigurations: AgentConfigurations | null;

  /** The port that carries its packets, and with which VLAN, while it is in a trunk. */
  @VirtualColumn('jsonb', {
    query: (port) =>
      `SELECT jsonb_build_object('portId', trunks.port_id, 'tag', segmentation_id)
         FROM subports JOIN trunks ON trunks.id = trunk_id WHERE subports.port_id = ${port}.id`,
  })
  trunkParent: { readonly portId: string; readonly tag: number } | null;

  /** The trunk that it is the port of, as clients see it. */
  @VirtualColumn('jsonb', {
    query: (port) =>
      `SELECT jsonb_build_object('trunk_id', trunks.id, 'sub_ports', (
                SELECT COALESCE(jsonb_agg(jsonb_build_object(
                         'port_id', sub.port_id, 'segmentation_type', sub.segmentation_type,
                         'segmentation_id', sub.segmentation_id, 'mac_address', one.mac_address)
                         ORDER BY sub.segmentation_id), '[]')
                  FROM subports AS sub JOIN ports AS one ON one.id = sub.port_id
                 WHERE sub.trunk_id = trunks.id))
         FROM trunks WHERE trunks.port_id = ${port}.id`,
  })
  trunkDetails: object | null;

  /** The hosts that it may move to. */
  @VirtualColumn('jsonb', {
    query: (port) =>
      `SELECT COALESCE(jsonb_agg(jsonb_build_object('host', host, 'bindingProfile', profile)
                                 ORDER BY host), '[]')
         FROM port_bindings WHERE port_id = ${port}.id`,
  })
  preparedHosts: (Pick<Port, 'bindingProfile'> & { readonly host: string })[];

  /** Ids of the groups that it is in. */
  @VirtualColumn('text', {
    query: (port) =>
      `SELECT COALESCE(array_agg(security_group_id::text ORDER BY position), '{}')
         FROM port_security_groups WHERE port_id = ${port}.id`,
  })
  securityGroups: string[];

  /** In the order of Neutron's rows (`db/models_v2.py`): by address as a text, then by subnet. */
  @VirtualColumn('jsonb', {
    query: (port) =>
      `SELECT COALESCE(jsonb_agg(jsonb_build_object(
                'subnet_id', subnet_id, 'ip_address', host(address))
              ORDER BY host(address) COLLATE "C", subnet_id), '[]')
         FROM ip_allocations WHERE port_id = ${port}.id`,
  })
  fixedIps: FixedIp[];
}

/** An address that a port has. The key forbids two ports with one address on a network. */
@Entity('ip_allocations')
@Index('ip_allocations_port_idx', ['portId'])
@Index('ip_allocations_subnet_idx', ['subnetId'])
export class IpAllocation {
  @PrimaryColumn('uuid', { name: 'network_id', primaryKeyConstraintName: 'ip_allocations_pkey' })
  networkId: string;

  @PrimaryColumn('inet', { primaryKeyConstraintName: 'ip_allocations_pkey' })
  address: string;

  @Column('uuid', { name: 'subnet_id' })
  @ForeignKey(() => Subnet, { name: 'ip_allocations_subnet_fkey' })
  subnetId: string;

  @Column('uuid', { name: 'port_id' })
  @ForeignKey(() => Port, { name: 'ip_allocations_port_fkey', onDelete: 'CASCADE' })
  portId: string;

  /** Among the addresses of its port. */
  @Column('integer')
  position: number;
}

/** That a port is in a group. */
@Entity('port_security_groups')
@Index('port_security_groups_group_idx', ['securityGroupId'])
export class PortSecurityGroup {
  @PrimaryColumn('uuid', {
    name: 'port_id',
    primaryKeyConstraintName: 'port_security_groups_pkey',
  })
  @ForeignKey(() => Port, { name: 'port_security_groups_port_fkey', onDelete: 'CASCADE' })
  portId: string;

  @PrimaryColumn('uuid', {
    name: 'security_group_id',
    primaryKeyConstraintName: 'port_security_groups_pkey',
  })
  @ForeignKey(() => SecurityGroup, { name: 'port_security_groups_group_fkey' })
  securityGroupId: string;

  /** Among the groups of its port. */
  @Column('integer')
  position: number;
}
