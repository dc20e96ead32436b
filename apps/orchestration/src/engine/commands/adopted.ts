import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { isMap, type Json, type JsonObject } from '../../template/json.js';
import type { AdoptedResource } from '../stored.js';

/**
 * The resources of data that `abandon` gave.
 * @throws InvalidInputError naming the resource that is not as it gives them
 */
export function adoptedOf(data: JsonObject): Record<string, AdoptedResource> {
  const resources = data['resources'] ?? {};
  if (!isMap(resources)) throw new InvalidInputError('Invalid adopt data: resources is no map.');
  const adopted = Object.entries(resources).flatMap(([name, one]): [string, AdoptedResource][] => {
    if (!isMap(one))
      throw new InvalidInputError(`Invalid adopt data: resources.${name} is no map.`);
    const { resource_id: physicalId, resource_data: own } = one;
    if (typeof physicalId !== 'string' || physicalId === '') return [];
    const given: Json = own ?? {};
    return [[name, { physicalId, data: isMap(given) ? given : {}, metadata: one['metadata'] }]];
  });
  return Object.fromEntries(adopted);
}
