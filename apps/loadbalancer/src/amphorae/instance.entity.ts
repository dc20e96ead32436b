import { Column, Entity, ForeignKey, PrimaryColumn, Unique, VirtualColumn } from 'typeorm';
import { IS_UP } from '../hosts/liveness.js';
import { LoadBalancer } from '../load-balancers/load-balancer.entity.js';

const OWN = 'load_balancers WHERE load_balancers.id = instances.load_balancer_id';

/** SQL of what it has of its load balancer and its host, for columns and filters alike. */
export const OF_OTHERS = {
  /** Whether it is well, as Octavia says it of an amphora. */
  status: `(SELECT CASE
    WHEN state = 'pending_delete' THEN 'PENDING_DELETE'
    WHEN state = 'error' OR NOT EXISTS (
      SELECT FROM hosts WHERE hosts.name = instances.host AND ${IS_UP}) THEN 'ERROR'
    ELSE 'ALLOCATED' END FROM ${OWN})`,
  vipAddress: `(SELECT vip_address FROM ${OWN})`,
  vipPortId: `(SELECT vip_port_id::text FROM ${OWN})`,
  projectId: `(SELECT project_id FROM ${OWN})`,
  zone: '(SELECT zone FROM hosts WHERE hosts.name = instances.host)',
} as const;

/** What runs a load balancer on a host. Another host, and a failover, make it another one. */
@Entity('instances')
@Unique('instances_load_balancer_key', ['loadBalancerId'])
export class Instance {
  @PrimaryColumn('uuid')
  id: string;

  @ForeignKey(() => LoadBalancer, { name: 'instances_load_balancer_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'load_balancer_id' })
  loadBalancerId: string;

  @Column('text')
  host: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  /** When it was last told what to do. */
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;

  @VirtualColumn('text', { query: () => OF_OTHERS.status })
  status: string;

  @VirtualColumn('text', { query: () => OF_OTHERS.vipAddress })
  vipAddress: string | null;

  @VirtualColumn('text', { query: () => OF_OTHERS.vipPortId })
  vipPortId: string | null;

  /** Of its host. */
  @VirtualColumn('text', { query: () => OF_OTHERS.zone })
  zone: string | null;
}
