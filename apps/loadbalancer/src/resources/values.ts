/** Values that several of Octavia's resources take. */
import { canonicalIp, cidrAround, formatCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import { attribute, type AttributeOptions } from '@cumulet/common/resources/attribute';
import {
  flag,
  integer,
  listOf,
  moment,
  orNull,
  Refusal,
  shortened,
  text,
  valueType,
  type ValueType,
} from '@cumulet/common/resources/value-type';

/** Null stands for the default, at creation and later. Public source: octavia, `api/v2/controllers`. */
export function orDefault<T>(type: ValueType<T>, standard: T): ValueType<T> {
  const read = (value: unknown, path?: string): T =>
    value === null ? standard : type.read(value, path);
  return { ...type, read };
}

/** An attribute whose default is what null stands for, too. */
export function withDefault<T, O extends Omit<AttributeOptions<NoInfer<T>>, 'default'>>(
  type: ValueType<T>,
  standard: NoInfer<T>,
  options: O,
) {
  return attribute(orDefault(type, standard), { ...options, default: standard });
}

/** Null is false. Public source: octavia, `api/common/types.py`. */
export const enabled: ValueType<boolean> = orDefault(flag, false);

/** `2026-11-23T02:30:00`, in UTC without saying so. */
export const time: ValueType<Date> = { ...moment, shape: String };
export const timeOrNull: ValueType<Date | null> = orNull(time);

export const port: ValueType<number> = integer(1, 65_535);

/** In its canonical form, so that equal addresses are equal texts. */
export const ipAddress: ValueType<string> = addressAs((_, canonical) => canonical);

/** As its client writes it, which is how Octavia shows members'. */
export const givenIpAddress: ValueType<string> = addressAs((given) => given);

function addressAs(choose: (given: string, canonical: string) => string): ValueType<string> {
  const read = (value: unknown): string | undefined => {
    if (typeof value !== 'string') return undefined;
    const canonical = canonicalIp(value);
    return canonical && choose(value, canonical);
  };
  return valueType(
    String,
    (value) => {
      const address = read(value);
      if (address !== undefined) return address;
      throw new Refusal(`'${shortened(value)}' is not a valid IP address`);
    },
    read,
  );
}

/** `10.0.0.0/8`, without bits beyond its length; an address alone is a network of itself. */
export const cidr: ValueType<string> = valueType(String, (value) => {
  const [address = '', length, ...rest] = typeof value === 'string' ? value.split('/') : [];
  const ip = parseIp(address);
  const most = ip?.version === 6 ? 128 : 32;
  const prefix = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : Infinity;
  if (!ip || rest.length > 0 || prefix > most)
    throw new Refusal(`'${shortened(value)}' is not a valid CIDR`);
  return formatCidr(cidrAround(ip, prefix));
});

/** The address of a secret, or of a container of secrets. */
export const secretRef: ValueType<string | null> = orNull(text(255));

/** A list that a column keeps as an array. */
export function arrayOf<T>(type: ValueType<T>, max?: number): ValueType<T[]> {
  return { ...listOf(type, max), column: { ...type.column, array: true } };
}

const words = arrayOf(text());

/** A set, in the order of Octavia's table of tags, whatever order they are sent in. */
export const tags = orDefault(
  {
    ...words,
    read: (value: unknown, path?: string) => [...new Set(words.read(value, path))].sort(),
  },
  [],
);

/** IDs as responses list them: `[{"id": "…"}]`. */
export const asIds = (ids: readonly string[]): object[] => ids.map((id) => ({ id }));
export const idList: ValueType<object[]> = listOf(valueType<object>(Object, () => ({})));

/**
 * Of a load balancer and its parts. Only ACTIVE and ERROR last. Public source: Load Balancer API
 * reference, "Provisioning Status Codes".
 */
export const PROVISIONING_STATUSES = [
  'ACTIVE',
  'ERROR',
  'PENDING_CREATE',
  'PENDING_UPDATE',
  'PENDING_DELETE',
] as const;

/** The same of what is seen of them: "Operating Status Codes". */
export const OPERATING_STATUSES = [
  'ONLINE',
  'DRAINING',
  'OFFLINE',
  'DEGRADED',
  'ERROR',
  'NO_MONITOR',
] as const;
export type OperatingStatus = (typeof OPERATING_STATUSES)[number];
