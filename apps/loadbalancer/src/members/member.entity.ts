import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { LoadBalancer } from '../load-balancers/load-balancer.entity.js';
import { Pool } from '../pools/pool.entity.js';
import { PartColumns } from '../tree/tree.columns.js';

@Entity('members')
@Index('members_project_idx', ['projectId', 'createdAt', 'id'])
@Index('members_load_balancer_idx', ['loadBalancerId'])
@Index('members_pool_idx', ['poolId', 'id'])
@Index('members_address_key', { synchronize: false })
export class Member extends PartColumns {
  @ForeignKey(() => LoadBalancer, { name: 'members_load_balancer_fkey', onDelete: 'CASCADE' })
  declare loadBalancerId: string;

  @ForeignKey(() => Pool, { name: 'members_pool_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'pool_id' })
  poolId: string;

  @Column('text')
  address: string;

  @Column('integer', { name: 'protocol_port' })
  protocolPort: number;

  /** 0 to 256; 0 takes no new connections. */
  @Column('integer', { default: 1 })
  weight: number;

  /** Used only where all others are down. */
  @Column('boolean', { default: false })
  backup: boolean;

  @Column('uuid', { name: 'subnet_id', nullable: true })
  subnetId: string | null;

  @Column('text', { name: 'monitor_address', nullable: true })
  monitorAddress: string | null;

  @Column('integer', { name: 'monitor_port', nullable: true })
  monitorPort: number | null;

  @Column('text', { name: 'vnic_type', default: 'normal' })
  vnicType: string;
}
