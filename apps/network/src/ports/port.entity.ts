import { Column, Entity, ForeignKey, Index, VirtualColumn, PrimaryColumn } from 'typeorm';
import { rowOf } from '@cumulet/common/resources/classes';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import type { Vif } from '../data-plane/data-plane.js';
import type { AgentConfigurations } from '../agents/agent.resource.js';
import { Network } from '../networks/network.entity.js';
import { QosPolicy } from '../qos/qos-policy.entity.js';
import { SecurityGroup } from '../security-groups/security-group.resource.js';
import { portResource, type FixedIp } from './port.resource.js';
import type { AddressPair, DhcpOption } from './port-options.js';
import type { PortState } from './port.states.js';
import { Subnet } from '../subnets/subnet.entity.js';

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
@ForeignKey(() => Network, ['networkId'], ['id'], { name: 'ports_network_fkey' })
@ForeignKey(() => QosPolicy, ['qosPolicyId'], ['id'], { name: 'ports_qos_policy_fkey' })
export class Port extends rowOf(portResource.attributes, StatefulColumns) {
  declare state: PortState;
  declare fixedIps: FixedIp[];
  declare allowedAddressPairs: AddressPair[];
  declare extraDhcpOpts: DhcpOption[];

  /** Of the network; written by Postgres. */
  @Column('text', { name: 'network_project_id', default: '' })
  networkProjectId: string;

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

  /** The hosts that it may move to. */
  @VirtualColumn('jsonb', {
    query: (port) =>
      `SELECT COALESCE(jsonb_agg(jsonb_build_object('host', host, 'bindingProfile', profile)
                                 ORDER BY host), '[]')
         FROM port_bindings WHERE port_id = ${port}.id`,
  })
  preparedHosts: (Pick<Port, 'bindingProfile'> & { readonly host: string })[];
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
