import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { LoadBalancer } from './load-balancer.entity.js';
import { Pool } from './pool.entity.js';
import { PartColumns } from './tree.columns.js';

/** Times are in seconds. What is null does not go with its type. */
@Entity('health_monitors')
@Index('health_monitors_project_idx', ['projectId', 'createdAt', 'id'])
@Index('health_monitors_load_balancer_idx', ['loadBalancerId'])
@Index('health_monitors_pool_key', { synchronize: false })
export class HealthMonitor extends PartColumns {
  @ForeignKey(() => LoadBalancer, {
    name: 'health_monitors_load_balancer_fkey',
    onDelete: 'CASCADE',
  })
  declare loadBalancerId: string;

  @ForeignKey(() => Pool, { name: 'health_monitors_pool_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'pool_id' })
  poolId: string;

  @Column('text')
  type: string;

  @Column('integer')
  delay: number;

  @Column('integer')
  timeout: number;

  /** Good checks in a row that make a member good. */
  @Column('integer', { name: 'max_retries' })
  maxRetries: number;

  /** Bad checks in a row that make it bad. */
  @Column('integer', { name: 'max_retries_down', default: 3 })
  maxRetriesDown: number;

  @Column('text', { name: 'http_method', nullable: true })
  httpMethod: string | null;

  @Column('text', { name: 'url_path', nullable: true })
  urlPath: string | null;

  @Column('text', { name: 'expected_codes', nullable: true })
  expectedCodes: string | null;

  @Column('double precision', { name: 'http_version', nullable: true })
  httpVersion: number | null;

  @Column('text', { name: 'domain_name', nullable: true })
  domainName: string | null;
}
