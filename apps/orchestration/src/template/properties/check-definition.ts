/**
 * Checks what a template says of a resource before anything is made. Pure: it is done in the thread that
 * reads the template.
 */
import type { ConstraintQuestion } from '../../constraints/constraint-check.js';
import type { PropertySchema, PropertySchemas } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Expression } from '../expression.js';
import { PROPERTY_TYPES } from '../parameters/parameter-schema.js';
import type { Question, ReadParameter } from '../read-template.js';
import { StackValidationFailedError } from '../template.errors.js';
import type { TypeFact } from '../type-facts.js';
import { PropertyChecks, type CheckedProperties } from './check-properties.js';

/**
 * By the type's schema, and across properties where all of them are known.
 * @param path of the properties: `resources.web.properties`
 * @param questions takes what services must be asked
 * @returns what is known of the properties; null where a resource has to say it
 * @throws StackValidationFailedError
 */
export function checkDefinition(
  type: Pick<TypeFact, 'properties' | 'validate'>,
  properties: Expression,
  path: string,
  questions: Question[],
): CheckedProperties {
  const below: ConstraintQuestion[] = [];
  try {
    const checked = new PropertyChecks(below).check(type.properties, properties);
    if (checked.isWhole) type.validate?.(checked.properties);
    questions.push(...below.map((one) => ({ ...one, path: `${path}.${one.path}` })));
    return checked;
  } catch (error) {
    throw error instanceof PropertyError ? propertyFailure(error, path) : error;
  }
}

/**
 * A property's error as that of the resource that has it.
 * @param path of the properties: `resources.web.properties`
 */
export function propertyFailure(error: PropertyError, path: string): StackValidationFailedError {
  const whole = error.path === '' ? path : `${path}.${error.path}`;
  return new StackValidationFailedError(error.message, whole, 'Property error');
}

/**
 * The properties of a resource that is made of a template: that template's parameters.
 *
 * Always holds: constraints of the parameters are not among them. The template below checks these when it
 * is read, in a thread, as patterns in them are a client's.
 *
 * Heat template guide, "Template composition".
 */
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
