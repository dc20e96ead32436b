import { Column, Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import { OctaviaTable } from '../resources/octavia-table.js';
import { Listener } from './listener.entity.js';
import { LoadBalancer } from './load-balancer.entity.js';
import { Pool } from './pool.entity.js';
import { idsOf, PartColumns } from './tree.columns.js';

@Entity('l7_policies')
@Index('l7_policies_project_idx', ['projectId', 'createdAt', 'id'])
@Index('l7_policies_load_balancer_idx', ['loadBalancerId'])
@Index('l7_policies_listener_idx', ['listenerId', 'position'])
@Index('l7_policies_redirect_pool_idx', ['redirectPoolId'])
export class L7Policy extends PartColumns {
  @ForeignKey(() => LoadBalancer, { name: 'l7_policies_load_balancer_fkey', onDelete: 'CASCADE' })
  declare loadBalancerId: string;

  @ForeignKey(() => Listener, { name: 'l7_policies_listener_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'listener_id' })
  listenerId: string;

  @Column('text')
  action: string;

  /** From 1, without gaps, among those of its listener. */
  @Column('integer')
  position: number;

  @ForeignKey(() => Pool, { name: 'l7_policies_redirect_pool_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'redirect_pool_id', nullable: true })
  redirectPoolId: string | null;

  @Column('text', { name: 'redirect_url', nullable: true })
  redirectUrl: string | null;

  @Column('text', { name: 'redirect_prefix', nullable: true })
  redirectPrefix: string | null;

  @Column('integer', { name: 'redirect_http_code', nullable: true })
  redirectHttpCode: number | null;

  @VirtualColumn('uuid', { query: (table) => idsOf('l7_rules', `l7_policy_id = ${table}.id`) })
  ruleIds: string[];
}

export const l7Policies = new OctaviaTable(L7Policy, 'L7Policy');
