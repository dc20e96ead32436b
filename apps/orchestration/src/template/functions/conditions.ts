import { isList, type Json } from '../../json/json.js';
import { isSameValue } from '../../json/same-json.js';
import type { Expression } from '../expression.js';
import {
  computed,
  itemsOf,
  siteError,
  type OptionalFunction,
  type Reader,
  type Site,
  type TemplateFunction,
} from './template-function.js';

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
    if (argument === null) throw siteError(site, `Argument to "${site.name}" must be a condition`);
    return negated(argument, `${site.path}.${site.name}`, reader);
  },
};

/** AWS CloudFormation User Guide, "Fn::Not": a list with one condition. */
export const fnNot: TemplateFunction = {
  description: 'Tells whether a condition does not hold.',
  read(argument, site, reader) {
    const [condition] = isList(argument) && argument.length === 1 ? argument : [];
    if (condition === undefined)
      throw siteError(site, `Arguments to "${site.name}" must be of the form: [condition]`);
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
  if (!isList(argument))
    throw siteError(site, `Arguments to "${site.name}" must be a list of conditions`);
  if (argument.length < 2)
    throw siteError(site, `The minimum number of condition arguments to "${site.name}" is 2.`);
  return argument;
}

/** Heat template guide, "equals"; `Fn::Equals`. */
export const equals = computed({
  description: 'Tells whether two values are equal.',
  check(argument, site) {
    if (itemsOf(argument)?.length !== 2)
      throw siteError(site, `Arguments to "${site.name}" must be of the form: [value_1, value_2]`);
  },
  compute(argument) {
    const [one = null, other = null] = isList(argument) ? argument : [];
    return isSameValue(one, other);
  },
});

const DESCRIPTION = 'Gives one of two values, by a condition.';

/** Heat template guide, "if"; `Fn::If`. The other value is not evaluated. */
export const ifCondition: TemplateFunction = {
  description: DESCRIPTION,
  read: (argument, site, reader) =>
    choose(argument, site, reader, 3) ?? { kind: 'value', value: null },
};

/** Since 2021-04-16: without a second value, the whole entry can be omitted. */
export const ifOptional: OptionalFunction = {
  description: 'Gives one of two values, by a condition, or leaves out what it stands for.',
  read: (argument, site, reader) =>
    choose(argument, site, reader, 2) ?? { kind: 'value', value: null },
  readOptional: (argument, site, reader) => choose(argument, site, reader, 2),
};

function choose(argument: Json, site: Site, reader: Reader, min: number): Expression | undefined {
  if (!isList(argument) || argument.length < min || argument.length > 3)
    throw siteError(
      site,
      `Arguments to "${site.name}" must be of the form: [condition_name, value_if_true, value_if_false]`,
    );
  const [condition = null, ...values] = argument;
  const path = `${site.path}.${site.name}`;
  const index = reader.holds(condition, `${path}[0]`) ? 0 : 1;
  const value = values[index];
  return value === undefined ? undefined : reader.reduceOptional(value, `${path}[${index + 1}]`);
}
