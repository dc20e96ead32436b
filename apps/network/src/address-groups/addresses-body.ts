import { HTTPBadRequestError, InvalidValueError } from '@cumulet/common/resources/resource.errors';
import { listOf, Refusal } from '@cumulet/common/resources/value-type';
import { ipPrefix } from '../addresses/address-types.js';

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
