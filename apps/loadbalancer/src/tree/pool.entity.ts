import { Column, Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { OctaviaTable } from '../resources/octavia-table.js';
import { LoadBalancer } from './load-balancer.entity.js';
import { idsOf, PartColumns } from './tree.columns.js';

/** As clients write it. */
export interface SessionPersistenceFields {
  readonly type: string;
  readonly cookie_name: string | null;
  readonly persistence_timeout: number | null;
  readonly persistence_granularity: string | null;
}

@Entity('pools')
@Index('pools_project_idx', ['projectId', 'createdAt', 'id'])
@Index('pools_load_balancer_idx', ['loadBalancerId'])
export class Pool extends PartColumns {
  @ForeignKey(() => LoadBalancer, { name: 'pools_load_balancer_fkey', onDelete: 'CASCADE' })
  declare loadBalancerId: string;

  @Column('text')
  protocol: string;

  @Column('text', { name: 'lb_algorithm' })
  lbAlgorithm: string;

  @Column('jsonb', { name: 'session_persistence', nullable: true })
  sessionPersistence: SessionPersistenceFields | null;

  @Column('boolean', { name: 'tls_enabled', default: false })
  tlsEnabled: boolean;

  @Column('text', { name: 'tls_container_ref', nullable: true })
  tlsContainerRef: string | null;

  @Column('text', { name: 'ca_tls_container_ref', nullable: true })
  caTlsContainerRef: string | null;

  @Column('text', { name: 'crl_container_ref', nullable: true })
  crlContainerRef: string | null;

  @Column('text', { name: 'tls_ciphers', nullable: true })
  tlsCiphers: string | null;

  @Column('text', { name: 'tls_versions', array: true, default: () => `'{}'` })
  tlsVersions: string[];

  @Column('text', { name: 'alpn_protocols', array: true, default: () => `'{}'` })
  alpnProtocols: string[];

  /** Those that send to it: by default, or by a policy that applies. */
  @VirtualColumn('uuid', {
    query: (table) =>
      `ARRAY(SELECT part.id::text FROM listeners AS part WHERE part.default_pool_id = ${table}.id
        UNION SELECT policy.listener_id::text FROM l7_policies AS policy
         WHERE policy.redirect_pool_id = ${table}.id AND policy.admin_state_up
           AND EXISTS (SELECT FROM l7_rules AS rule WHERE rule.l7_policy_id = policy.id))`,
  })
  listenerIds: string[];

  @VirtualColumn('uuid', { query: (table) => idsOf('members', `pool_id = ${table}.id`) })
  memberIds: string[];

  @VirtualColumn('uuid', {
    query: (table) =>
      `SELECT part.id FROM health_monitors AS part WHERE part.pool_id = ${table}.id LIMIT 1`,
  })
  healthMonitorId: string | null;
}

export const pools = new OctaviaTable(Pool, 'Pool');

/** The listeners that send to a pool, by default or by a policy: they change with it. */
export async function listenersOf({ manager }: RequestContext, poolId: string): Promise<string[]> {
  const rows = await preparedRows<{ id: string }>(
    manager,
    `SELECT id FROM listeners WHERE default_pool_id = $1
      UNION SELECT listener_id FROM l7_policies WHERE redirect_pool_id = $1`,
    [poolId],
  );
  return rows.map(({ id }) => id);
}
