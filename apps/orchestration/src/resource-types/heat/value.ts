/** Public source: Heat template guide, "OpenStack Resource Types", OS::Heat::Value. */
import { parseExact } from '../../json/exact-json.js';
import { isMap, type Json } from '../../json/json.js';
import { oneOf, text, UPDATABLE } from '../declare.js';
import type { Properties, PropertyType } from '../../constraints/property-schema.js';
import { textIn } from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import { typedProperty } from '../../template/properties/property-types.js';
import { PropertyError } from '../../constraints/property.errors.js';

const TYPES: Readonly<Record<string, PropertyType>> = {
  string: 'string',
  number: 'number',
  comma_delimited_list: 'list',
  json: 'map',
  boolean: 'boolean',
};

export const value: ResourceType = {
  name: 'OS::Heat::Value',
  description: 'Gives a value that a template makes a name for other resources to use.',
  support: { status: 'SUPPORTED', version: '7.0.0' },
  properties: {
    value: { type: 'any', description: 'The value.', required: true, updatable: true },
    type: text('The type of the value.', {
      ...UPDATABLE,
      constraints: [oneOf(...Object.keys(TYPES))],
    }),
  },
  attributes: { value: { description: 'The value, of its type.' } },
  validate: (properties) => void typed(properties),
  create: (scope) => Promise.resolve({ physicalId: scope.physicalName() }),
  update: () => Promise.resolve({}),
  remove: () => Promise.resolve(),
  read: ({ row }) => Promise.resolve({ id: row.physicalId }),
  attributesOf: ({ properties }, names) =>
    Promise.resolve(
      Object.fromEntries(names.map((name) => [name, name === 'value' ? typed(properties) : null])),
    ),
};

/** @throws PropertyError for a value that is not of the type */
function typed(properties: Properties): Json {
  const given = properties['value'] ?? null;
  const name = textIn(properties, 'type');
  const type = name === undefined ? undefined : TYPES[name];
  if (type === undefined || given === null) return given;
  const list = type === 'list' && typeof given === 'string' ? given.split(',') : given;
  const whole = type === 'map' && typeof list === 'string' ? parsed(list) : list;
  return typedProperty({ type, description: '' }, whole, 'value');
}

function parsed(given: string): Json {
  try {
    const value = parseExact(given) as Json;
    if (isMap(value) || Array.isArray(value)) return value;
  } catch {
    // Named below.
  }
  throw new PropertyError('value', `"${given}" is not a map`);
}
