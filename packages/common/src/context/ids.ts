/**
 * Branded IDs, so that a project's cannot be passed for a user's. Brands exist at compile time
 * only; on the wire and in rows an ID is a plain string.
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

/** Brands a value at the edge (a parsed parameter, a row). */
export function asId<T extends Id<string>>(value: string): T {
  return value as T;
}
