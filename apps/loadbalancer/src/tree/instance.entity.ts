import { Column, Entity, ForeignKey, PrimaryColumn, Unique, VirtualColumn } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { IS_UP } from '../hosts/host.entity.js';
import { LoadBalancer } from './load-balancer.entity.js';

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

/** Whether what runs on the load balancer's host is to go on, rather than to be made anew. */
export async function hasInstance(
  { manager }: RequestContext,
  { id, host }: Pick<LoadBalancer, 'id' | 'host'>,
): Promise<boolean> {
  const rows = await preparedRows(
    manager,
    'SELECT FROM instances WHERE load_balancer_id = $1 AND host = $2',
    [id, host],
  );
  return rows.length > 0;
}

/** It has been told what to do: the one that was there, if it is on the same host, or a new one. */
export async function recordInstance({ manager }: RequestContext, id: string): Promise<void> {
  await preparedRows(
    manager,
    `INSERT INTO instances AS former (id, load_balancer_id, host)
     SELECT gen_random_uuid(), id, host FROM load_balancers WHERE id = $1 AND host IS NOT NULL
     ON CONFLICT (load_balancer_id) DO UPDATE SET updated_at = excluded.updated_at,
       host = excluded.host,
       id = CASE WHEN former.host = excluded.host THEN former.id ELSE excluded.id END,
       created_at = CASE WHEN former.host = excluded.host
         THEN former.created_at ELSE excluded.created_at END`,
    [id],
  );
}

/** Another one is to take its place. */
export async function forgetInstance({ manager }: RequestContext, id: string): Promise<void> {
  await preparedRows(manager, 'DELETE FROM instances WHERE load_balancer_id = $1', [id]);
}
