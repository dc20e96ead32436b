import { ipPrefix } from '../addresses/address-types.js';
import { HTTPBadRequestError, InvalidValueError } from '../resource/resource.errors.js';
import { listOf, Refusal } from '../resource/value-type.js';

const prefixes = listOf(ipPrefix);

/**
 * @param body `{"addresses": ["10.0.0.1/32"]}`
 * @returns each of them once
 * @throws HTTPBadRequestError for what is no address
 */
export function readAddresses(body: object): string[] {
  const { addresses } = body as { readonly addresses?: unknown };
  if (addresses === undefined)
    throw new HTTPBadRequestError("Unable to find 'addresses' in request body");
  try {
    return [...new Set(prefixes.read(addresses))];
  } catch (error) {
    throw error instanceof Refusal ? new InvalidValueError('addresses', error.message) : error;
  }
}
