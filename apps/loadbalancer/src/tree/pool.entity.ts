/** Public source: octavia, `api/v2/types/pool.py`; Load Balancer API v2 reference, "Pools". */
import { Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { attribute, computed, givenOnly, shownOnly } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { MAX_INTEGER } from '@cumulet/common/resources/resource';
import {
  flag,
  integer,
  objectOf,
  oneOf,
  orNull,
  Refusal,
  shortened,
  text,
  uuid,
  valueType,
  type ValueType,
} from '@cumulet/common/resources/value-type';
import { ALGORITHMS, POOL_PROTOCOLS, type TlsVersion } from '../data-plane/balancer-spec.js';
import { OctaviaTable } from '../resources/octavia-table.js';
import { LOAD_BALANCERS, UNLISTED } from '../resources/resource.js';
import { asIds, idList, ipAddress, secretRef, withDefault } from '../resources/values.js';
import { LoadBalancer } from './load-balancer.entity.js';
import { TLS_LIMITS } from './tls-options.js';
import { idsOf, PartColumns } from './tree.columns.js';

/**
 * How a pool keeps a client with one member. Public source: Load Balancer API v2 reference, "Pool
 * Session Persistence"; octavia, `common/validate.py`, `check_session_persistence`.
 */
const TYPES = ['SOURCE_IP', 'HTTP_COOKIE', 'APP_COOKIE'] as const;
type SessionPersistenceType = (typeof TYPES)[number];

/** As clients see it. */
export interface SessionPersistenceFields {
  readonly type: SessionPersistenceType;
  readonly cookie_name: string | null;
  readonly persistence_timeout: number | null;
  readonly persistence_granularity: string | null;
}

/** A token of RFC 6265 is what goes into a header as it is. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const anyText = text();

const cookieName: ValueType<string> = valueType(String, (value) => {
  const name = anyText.read(value);
  if (!TOKEN.test(name)) throw new Refusal(`'${shortened(name)}' is not the name of a cookie`);
  return name;
});

/** As clients send it: a change may leave out the type that it has. */
export type GivenPersistence = Partial<SessionPersistenceFields>;

const fields = objectOf<GivenPersistence>(
  {
    type: oneOf(TYPES),
    cookie_name: orNull(cookieName),
    persistence_timeout: orNull(integer(1, MAX_INTEGER)),
    persistence_granularity: orNull(ipAddress),
  },
  ['type', 'cookie_name', 'persistence_timeout', 'persistence_granularity'],
);

/** An empty object counts as null. */
export const sessionPersistence: ValueType<GivenPersistence | null> = orNull(
  valueType(Object, (value, path) => {
    const given = fields.read(value, path);
    return Object.keys(given).length === 0 ? null : given;
  }),
);

export const POOL = {
  protocol: attribute(oneOf(POOL_PROTOCOLS), {
    about: 'The protocol that members speak.',
    required: true,
    given: 'at-creation',
  }),
  lbAlgorithm: attribute(oneOf(ALGORITHMS), {
    about: 'The load-balancing algorithm.',
    required: true,
  }),
  sessionPersistence: attribute(sessionPersistence, {
    about: 'The session persistence; null means none.',
    ...UNLISTED,
  }),
  listenerId: givenOnly(orNull(uuid), {
    about: 'The ID of the listener that gets the pool as its default pool, and must not have one.',
  }),
  loadbalancerId: givenOnly(orNull(uuid), {
    about: 'The ID of the load balancer; required if no listener is given.',
  }),
  ...LOAD_BALANCERS,
  listeners: computed(idList, {
    about: 'The IDs of the listeners that send requests to the pool.',
    from: ({ listenerIds }: { readonly listenerIds: readonly string[] }) => asIds(listenerIds),
    ...UNLISTED,
  }),
  healthMonitorId: shownOnly(orNull(uuid), {
    about: 'The ID of the health monitor.',
    wire: 'healthmonitor_id',
    virtual: (table) =>
      `SELECT part.id FROM health_monitors AS part WHERE part.pool_id = ${table}.id LIMIT 1`,
    ...UNLISTED,
  }),
  tlsEnabled: withDefault(flag, false, { about: 'Whether connections to members use TLS.' }),
  tlsContainerRef: attribute(secretRef, {
    about: 'The secret with the certificate and key that are presented to members.',
  }),
  caTlsContainerRef: attribute(secretRef, {
    about: 'The secret with the CA certificate that member certificates are verified against.',
  }),
  crlContainerRef: attribute(secretRef, {
    about: 'The secret with the revocation list of that CA.',
  }),
  ...TLS_LIMITS,
};

@Entity('pools')
@Index('pools_project_idx', ['projectId', 'createdAt', 'id'])
@Index('pools_load_balancer_idx', ['loadBalancerId'])
@ForeignKey(() => LoadBalancer, ['loadBalancerId'], ['id'], {
  name: 'pools_load_balancer_fkey',
  onDelete: 'CASCADE',
})
export class Pool extends rowOf(POOL, PartColumns) {
  declare sessionPersistence: SessionPersistenceFields | null;
  declare tlsVersions: TlsVersion[];
  declare alpnProtocols: string[];

  /** Listeners that send to the pool, by default or by an enabled policy with rules. */
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
