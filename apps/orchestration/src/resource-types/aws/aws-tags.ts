/** Tags as Amazon has them: a list of keys and values. */
import { listOf, mapOf, text, type PropertyOptions } from '../declare.js';
import type { PropertySchema } from '../property-schema.js';
import { isGiven } from '../property-values.js';
import { PropertyError } from '../resource-type.errors.js';
import type { Properties } from '../resource-type.js';

export function pairs(description: string, options: PropertyOptions = {}): PropertySchema {
  const pair = {
    Key: text('The key.', { required: true }),
    Value: text('The value.', { required: true }),
  };
  return listOf(mapOf(pair, 'A pair.'), description, options);
}

/** Of what the network service keeps none: templates have them everywhere. */
export const UNKEPT_TAGS = pairs('Keys and values, which are kept nowhere.');

/**
 * None of these is given, since there is nothing of the kind here.
 * @throws PropertyError
 */
export function checkOffered(properties: Properties, ...names: readonly string[]): void {
  const name = names.find((one) => isGiven(properties, one));
  if (name !== undefined) throw new PropertyError(name, `Property ${name} not implemented yet`);
}
