/**
 * Branded identifiers, so that a project's id cannot be passed for a user's. Brands exist only at
 * compile time; on the wire and in rows an id is a plain string.
 */
declare const brand: unique symbol;

export type Id<Name extends string> = string & { readonly [brand]: Name };

export type UserId = Id<'User'>;
export type ProjectId = Id<'Project'>;
export type DomainId = Id<'Domain'>;
export type RequestId = Id<'Request'>;

/** A UUID with or without dashes, in any case, as OpenStack's clients send them. */
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** Asserts at the edge (a parsed parameter, a row) that `value` is an id of this brand. */
export function asId<T extends Id<string>>(value: string): T {
  return value as T;
}
