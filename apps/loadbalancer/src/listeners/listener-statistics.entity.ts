import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { LoadBalancer } from '../load-balancers/load-balancer.entity.js';
import { Listener } from './listener.entity.js';

/** What a listener has carried, whichever process did. Public source: Load Balancer API reference. */
@Entity('listener_statistics')
@Index('listener_statistics_load_balancer_idx', ['loadBalancerId'])
export class ListenerStatistics {
  @ForeignKey(() => Listener, { name: 'listener_statistics_listener_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', {
    name: 'listener_id',
    primaryKeyConstraintName: 'listener_statistics_pkey',
  })
  listenerId: string;

  @ForeignKey(() => LoadBalancer, {
    name: 'listener_statistics_load_balancer_fkey',
    onDelete: 'CASCADE',
  })
  @Column('uuid', { name: 'load_balancer_id' })
  loadBalancerId: string;

  @Column('bigint', { name: 'bytes_in', default: 0 })
  bytesIn: number;

  @Column('bigint', { name: 'bytes_out', default: 0 })
  bytesOut: number;

  /** Now. */
  @Column('bigint', { name: 'active_connections', default: 0 })
  activeConnections: number;

  @Column('bigint', { name: 'total_connections', default: 0 })
  totalConnections: number;

  @Column('bigint', { name: 'request_errors', default: 0 })
  requestErrors: number;

  /** What its present process has counted, of the above: what is beyond that is new. */
  @Column('jsonb', { default: () => `'{}'` })
  counted: Readonly<Record<string, number>>;
}
