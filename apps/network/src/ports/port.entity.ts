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

  /** The project of the network, maintained by a trigger. */
  @Column('text', { name: 'network_project_id', default: '' })
  networkProjectId: string;

  /** The VIF of a bound port; null until a data plane has been chosen. */
  @VirtualColumn('jsonb', { query: () => 'SELECT vif FROM data_plane_kind' })
  vif: Vif | null;

  /** The configuration that its host reports; null if unbound or the host is unknown. */
  @VirtualColumn('jsonb', {
    query: (port) => `SELECT configurations FROM agents WHERE agents.host = ${port}.host_id`,
  })
  hostConfigurations: AgentConfigurations | null;

  /** The trunk's port that carries its packets, and the VLAN, if it is a subport. */
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

/** An address of a port. The key excludes duplicates on a network. */
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

  /** Order among the addresses of its port. */
  @Column('integer')
  position: number;
}

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

  /** Order among the groups of its port. */
  @Column('integer')
  position: number;
}
