/** What every provider of a service may inject by token, because it has no class. */

/** The service's settings, as loaded by its declaration. */
export const CONFIG = Symbol('cumulet:config');
/** How the service writes JSON for its clients: a `JsonCodec`. */
export const JSON_CODEC = Symbol('cumulet:json-codec');
export const LOGGER = Symbol('cumulet:logger');
/** The service's declaration. */
export const SERVICE = Symbol('cumulet:service');
/** A TokenAuthority, provided by a feature of each service. */
export const TOKEN_AUTHORITY = Symbol('cumulet:token-authority');

/** How JSON is read and written. JavaScript's own is one: it knows a single kind of number. */
export interface JsonCodec {
  /** @throws SyntaxError */
  parse(text: string): unknown;
  stringify(value: unknown): string;
}
