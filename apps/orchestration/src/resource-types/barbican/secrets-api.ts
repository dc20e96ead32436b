/** What types of the secrets service share. Public source: Key Manager API reference, v1. */
import type { RestApi } from '../rest-resource.js';

/**
 * Things that are known by their address, which is what other services take.
 * @param reference the field that has it: `secret_ref`
 */
export function secretsApi(collection: string, reference: string): RestApi {
  return {
    service: 'secrets',
    collection: `/v1/${collection}`,
    entity: null,
    id: reference,
    // Whichever host the address names: what is asked is the service of this cloud.
    segmentOf: (address) => address.replace(/\/$/, '').split('/').at(-1) ?? '',
  };
}
