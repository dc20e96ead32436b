/** What types of Amazon's share: tags, which are lists of keys and values, and a reason. */
import { listOf, mapOf, text, type PropertyOptions } from '../declare.js';
import type { PropertySchema } from '../../constraints/property-schema.js';

export function pairs(description: string, options: PropertyOptions = {}): PropertySchema {
  const pair = {
    Key: text('The key.', { required: true }),
    Value: text('The value.', { required: true }),
  };
  return listOf(mapOf(pair, 'A pair.'), description, options);
}

/** Of what the network service keeps none: templates have them everywhere. */
export const UNKEPT_TAGS = pairs('Keys and values, which are kept nowhere.');

/** Why `SourceDestCheck` is not offered. */
export const ALWAYS_CHECKED =
  'a port is held to its addresses, but where port_security_enabled of OS::Neutron::Port is false';
