import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Port } from '../ports/port.entity.js';
import { Subnet } from '../subnets/subnet.entity.js';

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
