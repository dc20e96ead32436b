/**
 * Checks what a template says of a resource before anything is made. Pure: it is done in the thread that
 * reads the template.
 */
import type { Expression } from '../expression.js';
import type { Question } from '../read-template.js';
import { StackValidationFailedError } from '../template.errors.js';
import type { TypeFact } from '../type-facts.js';
import { PropertyChecks, type CheckedProperties } from './check-properties.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { ConstraintQuestion } from '../../constraints/custom-constraints.js';

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
