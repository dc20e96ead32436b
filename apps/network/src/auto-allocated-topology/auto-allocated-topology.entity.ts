import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Network } from '../networks/network.entity.js';
import { Router } from '../routers/router.entity.js';

@Entity('auto_allocated_topologies')
export class AutoAllocatedTopology {
  @PrimaryColumn('text', {
    name: 'project_id',
    primaryKeyConstraintName: 'auto_allocated_topologies_pkey',
  })
  projectId: string;

  @Column('uuid', { name: 'network_id' })
  @ForeignKey(() => Network, {
    name: 'auto_allocated_topologies_network_fkey',
    onDelete: 'CASCADE',
  })
  networkId: string;

  /** Null once its owner has deleted it. */
  @Column('uuid', { name: 'router_id', nullable: true })
  @ForeignKey(() => Router, {
    name: 'auto_allocated_topologies_router_fkey',
    onDelete: 'SET NULL',
  })
  routerId: string | null;
}
