/** Checks a resource's definition before anything is created. Pure: it runs in a template thread. */
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
 * Checks against the type's schema, and across properties if all of them are known.
 * @param path of the properties: `resources.web.properties`
 * @param questions receives those for services
 * @returns the known properties; null for values that depend on resources
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

/** Adds the resource to an error. @param path such as `resources.web.properties` */
export function propertyFailure(error: PropertyError, path: string): StackValidationFailedError {
  const whole = error.path === '' ? path : `${path}.${error.path}`;
  return new StackValidationFailedError(error.message, whole, 'Property error');
}

/**
 * The properties of a template resource: that template's parameters. Heat template guide, "Template
 * composition".
 *
 * Always holds: constraints of the parameters are left out, because patterns are a client's and are
 * only matched in a thread, when the nested template is read.
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
