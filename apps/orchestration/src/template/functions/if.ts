import { isList, type Json } from '../../json/json.js';
import type { Expression } from '../expression.js';
import { siteError } from './site-error.js';
import type { OptionalFunction, Reader, Site, TemplateFunction } from './template-function.js';

const DESCRIPTION = 'Gives one of two values, by a condition.';

/** Heat template guide, "if"; `Fn::If`. The value that is not taken is not looked at. */
export const ifCondition: TemplateFunction = {
  description: DESCRIPTION,
  read: (argument, site, reader) =>
    choose(argument, site, reader, 3) ?? { kind: 'value', value: null },
};

/** From 2021-04-16 on: without a second value, what it stands for may be left out. */
export const ifOptional: OptionalFunction = {
  description: 'Gives one of two values, by a condition, or leaves out what it stands for.',
  read: (argument, site, reader) =>
    choose(argument, site, reader, 2) ?? { kind: 'value', value: null },
  readOptional: (argument, site, reader) => choose(argument, site, reader, 2),
};

function choose(argument: Json, site: Site, reader: Reader, min: number): Expression | undefined {
  if (!isList(argument) || argument.length < min || argument.length > 3) {
    throw siteError(
      site,
      `Arguments to "${site.name}" must be of the form: [condition_name, value_if_true, value_if_false]`,
    );
  }
  const [condition = null, ...values] = argument;
  const path = `${site.path}.${site.name}`;
  const index = reader.holds(condition, `${path}[0]`) ? 0 : 1;
  const value = values[index];
  return value === undefined ? undefined : reader.reduceOptional(value, `${path}[${index + 1}]`);
}
