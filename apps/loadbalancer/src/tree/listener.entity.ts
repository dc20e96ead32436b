/** Public source: octavia, `api/v2/types/listener.py`; Load Balancer API v2 reference, "Listeners". */
import { Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { conflict } from '@cumulet/common/errors/domain-error';
import { attribute, givenOnly } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { MAX_INTEGER } from '@cumulet/common/resources/resource';
import {
  flag,
  integer,
  oneOf,
  orNull,
  Refusal,
  shortened,
  text,
  uuid,
  valueType,
  type ValueType,
} from '@cumulet/common/resources/value-type';
import { LISTENER_PROTOCOLS, type TlsVersion } from '../data-plane/balancer-spec.js';
import { OctaviaTable } from '../resources/octavia-table.js';
import { LOAD_BALANCERS, UNLISTED } from '../resources/resource.js';
import { arrayOf, cidr, port, secretRef, withDefault } from '../resources/values.js';
import { LoadBalancer } from './load-balancer.entity.js';
import { Pool } from './pool.entity.js';
import { TLS_LIMITS } from './tls-options.js';
import { idsOf, PartColumns } from './tree.columns.js';

const CLIENT_AUTHENTICATIONS = ['NONE', 'OPTIONAL', 'MANDATORY'] as const;

/** Milliseconds: 24 days, as much as HAProxy takes. */
const MAX_TIMEOUT = 24 * 24 * 60 * 60 * 1000;
const timeout = integer(0, MAX_TIMEOUT);

/** Shown as null where there are none. */
const cidrs: ValueType<string[]> = { ...arrayOf(cidr), nullable: true };

export type InsertHeaders = Readonly<Record<string, string>>;

/** Values are `true` or `false` as text, in any case; null is none. */
export const insertHeaders: ValueType<InsertHeaders> = valueType<InsertHeaders>(Object, (value) => {
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new Refusal(`'${shortened(value)}' is not a dictionary`);
  const entries = Object.entries(value as Readonly<Record<string, unknown>>).map(([name, is]) => {
    const text = typeof is === 'boolean' ? String(is) : is;
    if (typeof text !== 'string' || !/^(true|false)$/i.test(text))
      throw new Refusal(`'${shortened(is)}' of ${shortened(name)} must be true or false`);
    return [name, text] as const;
  });
  return Object.fromEntries(entries);
});

const once = { required: true, given: 'at-creation' } as const;

export const LISTENER = {
  protocol: attribute(oneOf(LISTENER_PROTOCOLS), {
    about: 'The protocol that clients speak.',
    ...once,
  }),
  protocolPort: attribute(port, { about: 'The port that the listener listens on.', ...once }),
  connectionLimit: withDefault(integer(-1, MAX_INTEGER), -1, {
    about: 'The maximum number of concurrent connections; -1 means unlimited.',
  }),
  defaultPoolId: attribute(orNull(uuid), {
    about:
      'The ID of the pool for requests that no policy redirects. If it is null, they are refused.',
  }),
  loadbalancerId: givenOnly(uuid, { about: 'The ID of the load balancer.', required: true }),
  ...LOAD_BALANCERS,
  allowedCidrs: attribute(cidrs, {
    about: 'The networks that may connect, as CIDRs; null means any.',
    from: ({ allowedCidrs }: { readonly allowedCidrs: readonly string[] }) =>
      allowedCidrs.length > 0 ? allowedCidrs : null,
    default: [],
    column: { nullable: false },
    ...UNLISTED,
  }),
  insertHeaders: withDefault(
    insertHeaders,
    {},
    {
      about: 'The headers that are added to requests, each with the text `true` or `false`.',
      ...UNLISTED,
    },
  ),
  timeoutClientData: withDefault(timeout, 50_000, {
    about: 'The inactivity timeout of clients, in milliseconds.',
  }),
  timeoutMemberConnect: withDefault(timeout, 5_000, {
    about: 'The connection timeout of members, in milliseconds.',
  }),
  timeoutMemberData: withDefault(timeout, 50_000, {
    about: 'The inactivity timeout of members, in milliseconds.',
  }),
  timeoutTcpInspect: withDefault(timeout, 0, {
    about: 'How long to wait for TCP content to inspect, in milliseconds.',
  }),
  defaultTlsContainerRef: attribute(secretRef, {
    about:
      'The secret with the default certificate and key, for clients that send no server name or an unknown one.',
  }),
  sniContainerRefs: withDefault(arrayOf(text(), 100), [], {
    about: 'The secrets with the certificates and keys that are selected by server name (SNI).',
    ...UNLISTED,
  }),
  clientAuthentication: withDefault(oneOf(CLIENT_AUTHENTICATIONS), 'NONE', {
    about: 'Whether clients may (OPTIONAL) or must (MANDATORY) present a certificate.',
  }),
  clientCaTlsContainerRef: attribute(secretRef, {
    about: 'The secret with the CA certificates that client certificates are verified against.',
  }),
  clientCrlContainerRef: attribute(secretRef, {
    about: 'The secret with the revocation list of that CA.',
  }),
  ...TLS_LIMITS,
  hstsMaxAge: attribute(orNull(integer(0, MAX_INTEGER)), {
    about: 'The max-age of the Strict-Transport-Security header, in seconds; null means no header.',
  }),
  hstsIncludeSubdomains: withDefault(flag, false, {
    about: 'Whether Strict-Transport-Security includes subdomains.',
  }),
  hstsPreload: withDefault(flag, false, {
    about: 'Whether Strict-Transport-Security has the preload directive.',
  }),
};

/** A port of the load balancer's addresses. */
@Entity('listeners')
@Index('listeners_project_idx', ['projectId', 'createdAt', 'id'])
@Index('listeners_load_balancer_idx', ['loadBalancerId'])
@Index('listeners_default_pool_idx', ['defaultPoolId'])
@Index('listeners_port_key', { synchronize: false })
@ForeignKey(() => LoadBalancer, ['loadBalancerId'], ['id'], {
  name: 'listeners_load_balancer_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Pool, ['defaultPoolId'], ['id'], {
  name: 'listeners_default_pool_fkey',
  onDelete: 'SET NULL',
})
export class Listener extends rowOf(LISTENER, PartColumns) {
  declare tlsVersions: TlsVersion[];
  declare alpnProtocols: string[];

  @VirtualColumn('uuid', { query: (table) => idsOf('l7_policies', `listener_id = ${table}.id`) })
  l7PolicyIds: string[];
}

/**
 * UDP, SCTP and everything on TCP have ports of their own. Public source: octavia,
 * `common/exceptions.py`.
 */
class DuplicateListenerEntryError extends conflict(
  (protocol: string, port: number) =>
    `Another Listener on this Load Balancer is already using protocol ${protocol} and protocol_port ${port}`,
) {}

export const listeners = new OctaviaTable(Listener, 'Listener', {
  listeners_port_key: ({ protocol = '', protocolPort = 0 }) =>
    new DuplicateListenerEntryError(protocol, protocolPort),
});

/** The traffic of a listener, over all processes that carried it. Public source: Load Balancer API reference. */
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

  @Column('bigint', { name: 'active_connections', default: 0 })
  activeConnections: number;

  @Column('bigint', { name: 'total_connections', default: 0 })
  totalConnections: number;

  @Column('bigint', { name: 'request_errors', default: 0 })
  requestErrors: number;

  /** The counters of the present process; anything beyond them is new. */
  @Column('jsonb', { default: () => `'{}'` })
  counted: Readonly<Record<string, number>>;
}
