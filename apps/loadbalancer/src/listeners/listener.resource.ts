import {
  attribute,
  givenOnly,
  type ChangeBody,
  type NewBody,
} from '@cumulet/common/resources/attribute';
import { nested } from '../resources/nested.js';
import { listOf, type ValueType, valueType } from '@cumulet/common/resources/value-type';
import { l7PolicyResource } from '../l7-policies/l7-policy.resource.js';
import { type NewPool, poolResource } from '../pools/pool.resource.js';
import { ValidationExceptionError } from '../resources/octavia.errors.js';
import {
  defineResource,
  DESCRIPTION,
  NAME,
  OF_LOAD_BALANCER,
  UNLISTED,
} from '../resources/resource.js';
import { asIds } from '../resources/values.js';
import { type Listener, LISTENER } from '../tree/listener.entity.js';

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

/** A policy of a new listener: the pool that it redirects to may be new, too. */
const nestedPolicy = nested(
  {
    attributes: {
      ...l7PolicyResource.attributes,
      redirectPool: givenOnly(poolReference, {
        about:
          'The pool of REDIRECT_TO_POOL: a new one, or the name alone of another pool in the same request.',
      }),
    },
  },
  ['listenerId', 'projectId', 'tenantId'],
);

export const listenerResource = defineResource({
  singular: 'listener',
  plural: 'listeners',
  attributes: {
    ...NAME,
    ...DESCRIPTION,
    ...LISTENER,
    defaultPool: givenOnly(poolReference, {
      about: 'The default pool: a new one, or the name alone of another pool in the same request.',
    }),
    l7policies: attribute(listOf(nestedPolicy), {
      about: 'The L7 policies. Responses list their IDs.',
      given: 'at-creation',
      default: [],
      from: ({ l7PolicyIds }: Listener) => asIds(l7PolicyIds),
      ...UNLISTED,
    }),
  },
  filters: OF_LOAD_BALANCER,
});

export type ListenerAttributes = typeof listenerResource.attributes;
export type NewListener = NewBody<ListenerAttributes>;
/** A listener in the body of its load balancer, or of a known one. */
export type NestedListener = Omit<NewListener, 'loadbalancerId'>;
export type ListenerChange = ChangeBody<ListenerAttributes>;
