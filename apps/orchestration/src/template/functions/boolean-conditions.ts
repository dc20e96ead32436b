/** Conditions made of conditions: names, booleans, or functions of conditions. */
import { isList } from '../../json/json.js';
import { siteError } from './site-error.js';
import type { Reader, Site, TemplateFunction } from './template-function.js';
import type { Json } from '../../json/json.js';

/** Heat template guide, "and"; `Fn::And`. */
export const and = ofConditions('Tells whether all of several conditions hold.', (holds) =>
  holds.every(Boolean),
);

/** Heat template guide, "or"; `Fn::Or`. */
export const or = ofConditions('Tells whether one of several conditions holds.', (holds) =>
  holds.some(Boolean),
);

/** Heat template guide, "not". */
export const not: TemplateFunction = {
  description: 'Tells whether a condition does not hold.',
  read(argument, site, reader) {
    if (argument === null) {
      throw siteError(site, `Argument to "${site.name}" must be a condition`);
    }
    return negated(argument, `${site.path}.${site.name}`, reader);
  },
};

/** AWS CloudFormation User Guide, "Fn::Not": of a list of one condition. */
export const fnNot: TemplateFunction = {
  description: 'Tells whether a condition does not hold.',
  read(argument, site, reader) {
    const [condition] = isList(argument) && argument.length === 1 ? argument : [];
    if (condition === undefined) {
      throw siteError(site, `Arguments to "${site.name}" must be of the form: [condition]`);
    }
    return negated(condition, `${site.path}.${site.name}[0]`, reader);
  },
};

function negated(condition: Json, path: string, reader: Reader) {
  return { kind: 'value', value: !reader.holds(condition, path) } as const;
}

function ofConditions(
  description: string,
  combine: (holds: readonly boolean[]) => boolean,
): TemplateFunction {
  return {
    description,
    read(argument, site, reader) {
      const conditions = conditionsIn(argument, site);
      const path = `${site.path}.${site.name}`;
      const holds = conditions.map((one, index) => reader.holds(one, `${path}[${index}]`));
      return { kind: 'value', value: combine(holds) };
    },
  };
}

function conditionsIn(argument: Json, site: Site): readonly Json[] {
  if (!isList(argument)) {
    throw siteError(site, `Arguments to "${site.name}" must be a list of conditions`);
  }
  if (argument.length < 2) {
    throw siteError(site, `The minimum number of condition arguments to "${site.name}" is 2.`);
  }
  return argument;
}
