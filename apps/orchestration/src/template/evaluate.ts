/** Values of expressions, once there are resources to ask. Pure; nothing is kept. */
import type { Expression, FunctionCall, References } from './expression.js';
import { functionsOf } from './formats/formats.js';
import { ResultBudget } from './functions/result-budget.js';
import type { Evaluation } from './functions/template-function.js';
import type { Json } from '../json/json.js';
import { TemplateError } from './template.errors.js';

/**
 * @throws TemplateError for a value that a function does not take, or a reference that there is not
 */
export function evaluate(expression: Expression, references: References): Json {
  return valueOf(expression, { references, budget: new ResultBudget() });
}

function valueOf(expression: Expression, evaluation: Evaluation): Json {
  switch (expression.kind) {
    case 'value':
      return expression.value;
    case 'list':
      return expression.items.map((item) => valueOf(item, evaluation));
    case 'map':
      return Object.fromEntries(
        Object.entries(expression.entries).map(([key, entry]) => [key, valueOf(entry, evaluation)]),
      );
    case 'call':
      return resultOf(expression, evaluation);
  }
}

function resultOf({ argument, ...site }: FunctionCall, evaluation: Evaluation): Json {
  const found = functionsOf(site.version).get(site.name);
  if (found?.evaluate === undefined) {
    throw new TemplateError(
      `The version ${site.version} has no function "${site.name}" (in ${site.path}).`,
    );
  }
  return found.evaluate(valueOf(argument, evaluation), site, evaluation);
}
