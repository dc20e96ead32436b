/**
 * The properties of a resource that is made of a template: that template's parameters.
 *
 * Always holds: constraints of the parameters are not among them. The template below checks these when it
 * is read, in a thread, as patterns in them are a client's.
 */
import type { ReadParameter } from '../read-template.js';
import { PROPERTY_TYPES } from '../parameters/parameter-schema.js';
import type { PropertySchema, PropertySchemas } from '../../constraints/property-schema.js';

/** Heat template guide, "Template composition". */
export function parameterProperties(parameters: readonly ReadParameter[]): PropertySchemas {
  return Object.fromEntries(parameters.map((one) => [one.name, propertyOf(one)]));
}

function propertyOf({ type, description, default: preset }: ReadParameter): PropertySchema {
  return {
    type: PROPERTY_TYPES[type],
    description,
    updatable: true,
    ...(preset === undefined ? { required: true as const } : {}),
    ...(type === 'Json' || type === 'CommaDelimitedList' ? { converts: true as const } : {}),
  };
}
