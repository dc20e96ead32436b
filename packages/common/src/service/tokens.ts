/** Injection tokens for values without a class. */

/** The service's settings, as loaded by its declaration. */
export const CONFIG = Symbol('cumulet:config');
/** A `JsonCodec`. */
export const JSON_CODEC = Symbol('cumulet:json-codec');
export const LOGGER = Symbol('cumulet:logger');
/** The service's declaration. */
export const SERVICE = Symbol('cumulet:service');
/** A TokenAuthority, provided by a feature of each service. */
export const TOKEN_AUTHORITY = Symbol('cumulet:token-authority');

/** Reads and writes JSON. JavaScript's own has a single type of number. */
export interface JsonCodec {
  /** @throws SyntaxError */
  parse(text: string): unknown;
  stringify(value: unknown): string;
}
