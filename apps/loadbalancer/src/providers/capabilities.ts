/**
 * The capabilities that profiles of flavors and availability zones can set, by provider: values and
 * effect. Names are Octavia's where it has one for the same.
 */
import {
  integer,
  listOf,
  oneOf,
  Refusal,
  shortened,
  text,
  uuid,
  type ValueType,
} from '@cumulet/common/resources/value-type';
import { InvalidOptionError, ProviderUnsupportedOptionError } from '../resources/octavia.errors.js';

export interface Capability<T = unknown> {
  /** Its effect and values, for administrators. */
  readonly about: string;
  readonly type: ValueType<T>;
}

export type Capabilities = Readonly<Record<string, Capability>>;

/** A profile's values, by capability. */
export type DataOf<C extends Capabilities> = {
  readonly [K in keyof C]?: C[K] extends Capability<infer T> ? T : never;
};

function capability<T>(type: ValueType<T>, about: string): Capability<T> {
  return { about, type };
}

export const HAPROXY_FLAVOR = {
  loadbalancer_topology: capability(
    oneOf(['SINGLE']),
    'The load balancer topology. SINGLE - One instance per load balancer, which another host takes over if its own fails.',
  ),
  connection_limit: capability(
    integer(1, 1_000_000),
    'The maximum number of concurrent connections of all listeners together. Further connections wait.',
  ),
  threads: capability(
    integer(1, 64),
    'The number of HAProxy threads, which is about the number of cores that it may use.',
  ),
} satisfies Capabilities;

export const HAPROXY_ZONE = {
  compute_zone: capability(text(), 'The compute availability zone.'),
  valid_vip_networks: capability(
    listOf(uuid),
    'List of network IDs that are allowed for VIP use. Without it, any network is allowed.',
  ),
} satisfies Capabilities;

export type HaproxyFlavor = DataOf<typeof HAPROXY_FLAVOR>;

/**
 * The data of a profile, as JSON.
 * @param option what clients call it: `flavor_data`
 * @throws InvalidOptionError if it is no object
 * @throws ProviderUnsupportedOptionError naming what is unknown, or no value of its
 */
export function readData<const C extends Capabilities>(
  provider: string,
  capabilities: C,
  option: string,
  json: string,
): DataOf<C> {
  const data = objectOf(json);
  if (!data) throw new InvalidOptionError(shortened(json), option);
  const read = Object.entries(data).map(([name, value]) => {
    const known = Object.hasOwn(capabilities, name) ? capabilities[name] : undefined;
    try {
      if (!known) throw new Refusal('is not one of its capabilities');
      return [name, known.type.read(value)];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new ProviderUnsupportedOptionError(provider, `${shortened(name)} ${error.message}`);
    }
  });
  return Object.fromEntries(read) as DataOf<C>;
}

function objectOf(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? value : undefined;
  } catch {
    return undefined;
  }
}
