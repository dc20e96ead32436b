/** Public source: octavia, `api/v2/types/listener.py`; Load Balancer API v2 reference, "Listeners". */
import {
  attribute,
  givenOnly,
  shownOnly,
  type ChangeBody,
  type NewBody,
} from '@cumulet/common/resources/attribute';
import { nested } from '@cumulet/common/resources/nested';
import { MAX_INTEGER } from '@cumulet/common/resources/resource';
import {
  flag,
  integer,
  listOf,
  objectOf,
  oneOf,
  orNull,
  text,
  uuid,
  type ValueType,
  valueType,
} from '@cumulet/common/resources/value-type';
import { l7PolicyResource } from '../l7-policies/l7-policy.resource.js';
import { LISTENER_PROTOCOLS } from '../parts/protocols.js';
import { alpnProtocols, tlsCiphers, tlsVersions } from '../parts/tls-options.js';
import { type NewPool, poolResource } from '../pools/pool.resource.js';
import { ValidationExceptionError } from '../resources/octavia.errors.js';
import {
  defineResource,
  DESCRIPTION,
  NAME,
  OF_LOAD_BALANCER,
  UNLISTED,
} from '../resources/resource.js';
import { cidr, port, secretRef, withDefault } from '../resources/values.js';
import type { Listener } from '../tree/listener.entity.js';
import { insertHeaders } from './listener-rules.js';

/** A new pool of the load balancer that the request is about. */
export const nestedPool = nested(poolResource, [
  'loadbalancerId',
  'listenerId',
  'projectId',
  'tenantId',
]);

/**
 * A pool within the body of a listener: a new one, or by its name one that the same request makes.
 * Public source: Load Balancer API v2 reference, "Creating a Fully Populated Load Balancer".
 */
export type PoolReference =
  | { readonly pool: NewPool; readonly name: string }
  | { readonly pool: null; readonly name: string };

/** One with nothing but a name is another's. */
const poolReference: ValueType<PoolReference | null> = {
  ...valueType<PoolReference | null>(Object, (value, path) => {
    if (value === null) return null;
    const names = typeof value === 'object' ? Object.keys(value) : [];
    const { name } = value as { readonly name?: unknown };
    if (names.join() === 'name' && typeof name === 'string') return { pool: null, name };
    const pool = nestedPool.read(value, path);
    return { pool, name: pool.name };
  }),
  nullable: true,
  ...(nestedPool.schema ? { schema: nestedPool.schema } : {}),
};

interface WithPools {
  readonly defaultPool?: PoolReference | null;
  readonly l7policies: readonly { readonly redirectPool?: PoolReference | null }[];
}

/**
 * All pools that a request makes.
 * @param pools those that stand by themselves
 * @throws ValidationExceptionError for one without a name, a name twice, and a name of none
 */
export function poolsOf(
  listeners: readonly WithPools[],
  pools: readonly NewPool[],
): readonly NewPool[] {
  const named = listeners.flatMap(({ defaultPool: pool, l7policies }) =>
    [pool, ...l7policies.map((policy) => policy.redirectPool)].filter((one) => one != null),
  );
  const all = [...pools, ...named.flatMap(({ pool }) => pool ?? [])];
  const names = all.map(({ name }) => name);
  if (named.some(({ name }) => name === '')) {
    throw new ValidationExceptionError(
      'Pools must be named when creating a fully populated loadbalancer.',
    );
  }
  if (new Set(names).size < names.length) {
    throw new ValidationExceptionError(
      'Pool names must be unique when creating a fully populated loadbalancer.',
    );
  }
  const unknown = named.find(({ name }) => !names.includes(name));
  if (unknown) {
    throw new ValidationExceptionError(
      `Pool '${unknown.name}' was referenced but no full definition was found.`,
    );
  }
  return all;
}

const CLIENT_AUTHENTICATIONS = ['NONE', 'OPTIONAL', 'MANDATORY'] as const;

/** Milliseconds: 24 days, as much as HAProxy takes. */
const MAX_TIMEOUT = 24 * 24 * 60 * 60 * 1000;
const timeout = integer(0, MAX_TIMEOUT);

const ids = listOf(objectOf({ id: uuid }));

/** Shown as null where there are none. */
const cidrs: ValueType<string[]> = { ...listOf(cidr), nullable: true };

/** A policy of a new listener: the pool that it redirects to may be new, too. */
const nestedPolicy = nested(
  {
    attributes: {
      ...l7PolicyResource.attributes,
      redirectPool: givenOnly(poolReference, {
        about: 'Of REDIRECT_TO_POOL: a new pool; by its name alone, one of the same request.',
      }),
    },
  },
  ['listenerId', 'projectId', 'tenantId'],
);

const once = { required: true, given: 'at-creation' } as const;

export const listenerResource = defineResource({
  singular: 'listener',
  plural: 'listeners',
  attributes: {
    ...NAME,
    ...DESCRIPTION,
    protocol: attribute(oneOf(LISTENER_PROTOCOLS), { about: 'What its clients speak.', ...once }),
    protocolPort: attribute(port, { about: 'Where it is reached.', ...once }),
    connectionLimit: withDefault(integer(-1, MAX_INTEGER), -1, {
      about: 'Connections at once; -1 is without limit.',
    }),
    defaultPoolId: attribute(orNull(uuid), {
      about: 'Where requests go that no policy redirects; null: they are refused.',
    }),
    defaultPool: givenOnly(poolReference, {
      about: 'A new pool that it sends to; by its name alone, one of the same request.',
    }),
    l7policies: attribute(listOf(nestedPolicy), {
      about: 'Its policies; in answers, their ids.',
      given: 'at-creation',
      default: [],
      from: ({ l7PolicyIds }: Listener) => l7PolicyIds.map((id) => ({ id })),
      ...UNLISTED,
    }),
    loadbalancerId: givenOnly(uuid, { about: 'Its load balancer.', required: true }),
    loadbalancers: shownOnly(ids, {
      about: 'Its load balancer, as a list of one.',
      from: ({ loadBalancerId: id }: Listener) => [{ id }],
      ...UNLISTED,
    }),
    allowedCidrs: attribute(cidrs, {
      about: 'Networks that may connect; null: all.',
      from: ({ allowedCidrs }: Listener) => (allowedCidrs.length > 0 ? allowedCidrs : null),
      default: [],
      ...UNLISTED,
    }),
    insertHeaders: withDefault(
      insertHeaders,
      {},
      {
        about: 'Headers that are added to requests: whether each is, as text.',
        ...UNLISTED,
      },
    ),
    timeoutClientData: withDefault(timeout, 50_000, {
      about: 'How long a client may be silent, in milliseconds.',
    }),
    timeoutMemberConnect: withDefault(timeout, 5_000, {
      about: 'How long a member may take to accept a connection, in milliseconds.',
    }),
    timeoutMemberData: withDefault(timeout, 50_000, {
      about: 'How long a member may be silent, in milliseconds.',
    }),
    timeoutTcpInspect: withDefault(timeout, 0, {
      about: 'How long TCP is waited for content to decide by, in milliseconds.',
    }),
    defaultTlsContainerRef: attribute(secretRef, {
      about: 'The certificate and key for clients that name no host, or an unknown one.',
    }),
    sniContainerRefs: withDefault(listOf(text(), 100), [], {
      about: 'Certificates and keys that are chosen by the host that clients name.',
      ...UNLISTED,
    }),
    clientAuthentication: withDefault(oneOf(CLIENT_AUTHENTICATIONS), 'NONE', {
      about: 'Whether clients are asked for a certificate, and refused without one.',
    }),
    clientCaTlsContainerRef: attribute(secretRef, {
      about: "The certificates by which clients' certificates are checked.",
    }),
    clientCrlContainerRef: attribute(secretRef, {
      about: 'The list of what that authority has revoked.',
    }),
    tlsCiphers: attribute(orNull(tlsCiphers), { about: "OpenSSL's cipher string." }),
    tlsVersions: attribute(orNull(tlsVersions), { about: 'Versions of TLS.', ...UNLISTED }),
    alpnProtocols: attribute(orNull(alpnProtocols), {
      about: 'What clients may speak within TLS.',
      ...UNLISTED,
    }),
    hstsMaxAge: attribute(orNull(integer(0, MAX_INTEGER)), {
      about: 'Strict-Transport-Security: for how many seconds; null: not at all.',
    }),
    hstsIncludeSubdomains: withDefault(flag, false, {
      about: 'Strict-Transport-Security: whether for subdomains, too.',
    }),
    hstsPreload: withDefault(flag, false, {
      about: 'Strict-Transport-Security: whether browsers may know beforehand.',
    }),
  },
  filters: OF_LOAD_BALANCER,
});

export type ListenerAttributes = typeof listenerResource.attributes;
export type NewListener = NewBody<ListenerAttributes>;
/** Of a load balancer that is made with it, or is known. */
export type NestedListener = Omit<NewListener, 'loadbalancerId'>;
export type ListenerChange = ChangeBody<ListenerAttributes>;
