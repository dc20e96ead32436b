/** Properties of a resource as its type gets them, once all values are known. */
import type { Json } from '../../json/json.js';
import type { Properties, PropertySchemas } from '../../constraints/property-schema.js';
import { PropertyChecks } from './check-properties.js';

/**
 * Whole, with defaults, each of its type. Custom constraints of services are not asked about: what has
 * to be found is found by `resolveNames`, and a service refuses what else it does not take.
 * @param given a map; null is an empty one
 * @throws PropertyError
 */
export function resolveProperties(schemas: PropertySchemas, given: Json): Properties {
  return new PropertyChecks().check(schemas, { kind: 'value', value: given }).properties;
}
