import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { rowOf } from '@cumulet/common/resources/classes';
import { Network } from '../networks/network.entity.js';
import { Port } from '../ports/port.entity.js';
import { QosPolicy } from '../qos/qos-policy.entity.js';
import { resourceTable } from '../resource/resource.table.js';
import { Router } from '../routers/router.entity.js';
import {
  FloatingIPNotFoundError,
  FloatingIPPortAlreadyAssociatedError,
} from './floatingip.errors.js';
import { floatingIpResource } from './floatingip.resource.js';

@Entity('floating_ips')
@Index('floating_ips_qos_policy_idx', ['qosPolicyId'])
@Index('floating_ips_project_idx', ['projectId', 'id'])
@Index('floating_ips_router_idx', ['routerId'])
@Index('floating_ips_port_idx', ['fixedPortId'])
@Index('floating_ips_floating_port_key', ['floatingPortId'], { unique: true })
@Index('floating_ips_fixed_key', ['floatingNetworkId', 'fixedPortId', 'fixedIpAddress'], {
  unique: true,
})
@ForeignKey(() => Network, ['floatingNetworkId'], ['id'], { name: 'floating_ips_network_fkey' })
@ForeignKey(() => Port, ['floatingPortId'], ['id'], { name: 'floating_ips_floating_port_fkey' })
@ForeignKey(() => Port, ['fixedPortId'], ['id'], { name: 'floating_ips_fixed_port_fkey' })
@ForeignKey(() => Router, ['routerId'], ['id'], { name: 'floating_ips_router_fkey' })
@ForeignKey(() => QosPolicy, ['qosPolicyId'], ['id'], { name: 'floating_ips_qos_policy_fkey' })
export class FloatingIp extends rowOf(floatingIpResource.attributes) {
  declare floatingIpAddress: string;

  /** The port that holds its address. */
  @Column('uuid', { name: 'floating_port_id' })
  floatingPortId: string;

  /** The time since which it is associated with its port. */
  @Column('timestamptz', { name: 'associated_at', nullable: true })
  associatedAt: Date | null;
}

export const floatingIps = resourceTable(FloatingIp, FloatingIPNotFoundError, {
  floating_ips_fixed_key: (row) =>
    new FloatingIPPortAlreadyAssociatedError({
      id: row.id ?? '',
      floatingIpAddress: row.floatingIpAddress ?? '',
      floatingNetworkId: row.floatingNetworkId ?? '',
      portId: row.fixedPortId ?? '',
      fixedIpAddress: row.fixedIpAddress ?? '',
    }),
});
