import { Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { OctaviaTable } from '../resources/octavia-table.js';
import { LoadBalancer } from './load-balancer.entity.js';
import { Pool } from './pool.entity.js';
import { idsOf, PartColumns } from './tree.columns.js';

/** A port of the load balancer's addresses. Times are in milliseconds. */
@Entity('listeners')
@Index('listeners_project_idx', ['projectId', 'createdAt', 'id'])
@Index('listeners_load_balancer_idx', ['loadBalancerId'])
@Index('listeners_default_pool_idx', ['defaultPoolId'])
@Index('listeners_port_key', { synchronize: false })
export class Listener extends PartColumns {
  @ForeignKey(() => LoadBalancer, { name: 'listeners_load_balancer_fkey', onDelete: 'CASCADE' })
  declare loadBalancerId: string;

  @Column('text')
  protocol: string;

  @Column('integer', { name: 'protocol_port' })
  protocolPort: number;

  /** Connections at once; -1 is without limit. */
  @Column('integer', { name: 'connection_limit', default: -1 })
  connectionLimit: number;

  @ForeignKey(() => Pool, { name: 'listeners_default_pool_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'default_pool_id', nullable: true })
  defaultPoolId: string | null;

  /** Networks that may connect; empty: all. */
  @Column('text', { name: 'allowed_cidrs', array: true, default: () => `'{}'` })
  allowedCidrs: string[];

  /** By header, `true` or `false` as text. */
  @Column('jsonb', { name: 'insert_headers', default: () => `'{}'` })
  insertHeaders: Readonly<Record<string, string>>;

  @Column('integer', { name: 'timeout_client_data', default: 50_000 })
  timeoutClientData: number;

  @Column('integer', { name: 'timeout_member_connect', default: 5_000 })
  timeoutMemberConnect: number;

  @Column('integer', { name: 'timeout_member_data', default: 50_000 })
  timeoutMemberData: number;

  @Column('integer', { name: 'timeout_tcp_inspect', default: 0 })
  timeoutTcpInspect: number;

  @Column('text', { name: 'default_tls_container_ref', nullable: true })
  defaultTlsContainerRef: string | null;

  @Column('text', { name: 'sni_container_refs', array: true, default: () => `'{}'` })
  sniContainerRefs: string[];

  @Column('text', { name: 'client_ca_tls_container_ref', nullable: true })
  clientCaTlsContainerRef: string | null;

  @Column('text', { name: 'client_authentication', default: 'NONE' })
  clientAuthentication: string;

  @Column('text', { name: 'client_crl_container_ref', nullable: true })
  clientCrlContainerRef: string | null;

  @Column('text', { name: 'tls_ciphers', nullable: true })
  tlsCiphers: string | null;

  @Column('text', { name: 'tls_versions', array: true, default: () => `'{}'` })
  tlsVersions: string[];

  @Column('text', { name: 'alpn_protocols', array: true, default: () => `'{}'` })
  alpnProtocols: string[];

  /** Seconds; null without Strict-Transport-Security. */
  @Column('integer', { name: 'hsts_max_age', nullable: true })
  hstsMaxAge: number | null;

  @Column('boolean', { name: 'hsts_include_subdomains', default: false })
  hstsIncludeSubdomains: boolean;

  @Column('boolean', { name: 'hsts_preload', default: false })
  hstsPreload: boolean;

  @VirtualColumn('uuid', { query: (table) => idsOf('l7_policies', `listener_id = ${table}.id`) })
  l7PolicyIds: string[];
}

/**
 * UDP, SCTP and everything on TCP have ports of their own. Public source: octavia,
 * `common/exceptions.py`.
 */
class DuplicateListenerEntryError extends DomainError {
  constructor(protocol: string, port: number) {
    super(
      'conflict',
      `Another Listener on this Load Balancer is already using protocol ${protocol} and protocol_port ${port}`,
    );
  }
}

export const listeners = new OctaviaTable(Listener, 'Listener', {
  listeners_port_key: ({ protocol = '', protocolPort = 0 }) =>
    new DuplicateListenerEntryError(protocol, protocolPort),
});

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
