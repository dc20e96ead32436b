/** Asks the services what a template's values leave open, before anything is made. */
import { StackValidationFailedError } from '../template/template.errors.js';
import { validationError, type ConstraintQuestion } from '../constraints/custom-constraints.js';
import { LookupError, type ServiceLookups } from '../constraints/service-lookups.js';
import { textOf } from '../json/texts.js';

/** Questions that are under way at once. */
const AT_ONCE = 8;

/**
 * @throws StackValidationFailedError for the first, in the template's order, that a service denies
 * @throws ServiceUnavailableError
 */
export async function answerQuestions(
  questions: readonly ConstraintQuestion[],
  lookups: ServiceLookups,
): Promise<void> {
  for (let at = 0; at < questions.length; at += AT_ONCE) {
    const some = questions.slice(at, at + AT_ONCE);
    const faults = await Promise.all(some.map((one) => faultOf(one, lookups)));
    some.forEach((question, index) => {
      const fault = faults[index];
      if (fault !== undefined) throw failure(question, fault);
    });
  }
}

async function faultOf(
  { constraint, value, description, isSecret }: ConstraintQuestion,
  lookups: ServiceLookups,
): Promise<string | undefined> {
  try {
    await lookups.find(constraint, textOf(value));
    return undefined;
  } catch (error) {
    if (!(error instanceof LookupError)) throw error;
    return description ?? validationError(value, isSecret === true ? '' : error.message, isSecret);
  }
}

function failure({ path }: ConstraintQuestion, fault: string): StackValidationFailedError {
  const [section, name = ''] = path.split('.', 2);
  return section === 'parameters' || section === 'Parameters'
    ? new StackValidationFailedError(`Parameter '${name}' is invalid: ${fault}`)
    : new StackValidationFailedError(fault, path, 'Property error');
}
