/** Functions that need their argument alone. */
import type { Expression } from '../expression.js';
import type { Json } from '../../json/json.js';
import type { ResultBudget } from './result-budget.js';
import type { Site, TemplateFunction } from './template-function.js';

export interface Computation {
  readonly description: string;
  /** Refuses what no value of what is not yet known could mend. @throws TemplateError */
  readonly check?: (argument: Expression, site: Site) => void;
  /** @throws TemplateError */
  readonly compute: (argument: Json, site: Site, budget: ResultBudget) => Json;
}

export function computed({ description, check, compute }: Computation): TemplateFunction {
  return {
    description,
    read(snippet, site, reader) {
      const argument = reader.reduce(snippet, `${site.path}.${site.name}`);
      check?.(argument, site);
      if (argument.kind !== 'value') {
        return { kind: 'call', ...site, argument };
      }
      const value = compute(argument.value, site, reader.budget);
      return { kind: 'value', value: reader.budget.spend(value) };
    },
    evaluate: (argument, site, { budget }) => budget.spend(compute(argument, site, budget)),
  };
}
