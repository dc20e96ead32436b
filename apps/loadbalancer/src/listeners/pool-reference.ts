/**
 * Pools within the body of a listener: a new one, or by its name one that the same request makes.
 * Public source: Load Balancer API v2 reference, "Creating a Fully Populated Load Balancer".
 */
import { nested } from '@cumulet/common/resources/nested';
import { valueType, type ValueType } from '@cumulet/common/resources/value-type';
import { poolResource, type NewPool } from '../pools/pool.resource.js';
import { ValidationExceptionError } from '../resources/octavia.errors.js';

/** A new pool of the load balancer that the request is about. */
export const nestedPool = nested(poolResource, [
  'loadbalancer_id',
  'listener_id',
  'project_id',
  'tenant_id',
]);

export type PoolReference =
  | { readonly pool: NewPool; readonly name: string }
  | { readonly pool: null; readonly name: string };

/** One with nothing but a name is another's. */
export const poolReference: ValueType<PoolReference | null> = {
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
  readonly default_pool?: PoolReference | null;
  readonly l7policies: readonly { readonly redirect_pool?: PoolReference | null }[];
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
  const named = listeners.flatMap(({ default_pool: pool, l7policies }) =>
    [pool, ...l7policies.map((policy) => policy.redirect_pool)].filter((one) => one != null),
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
