import { textOf } from '../../json/texts.js';
import { isList, kindOf, ownOf, type Json } from '../../json/json.js';
import { UserParameterMissingError } from '../template.errors.js';
import { itemsOf } from './argument-form.js';
import { siteError } from './site-error.js';
import type { Scope, Site, TemplateFunction } from './template-function.js';
import { valueAt } from './value-path.js';

/**
 * Heat template guide, "get_param". What the path does not lead to is an empty text.
 *
 * A call whose path waits for a resource keeps the parameter's value in the place of its name; one
 * whose parameter has no value keeps the name alone.
 */
export const getParam: TemplateFunction = {
  description: 'Gives the value of a parameter, or a part of it.',
  read(snippet, site, reader) {
    const argument = reader.reduce(snippet, `${site.path}.${site.name}`);
    const [first, ...path] = itemsOf(argument) ?? [argument];
    if (first?.kind !== 'value' || first.value === '') {
      throw siteError(site, `Function "${site.name}" must have arguments that are known`);
    }
    const value = parameterOf(first.value, site, reader.scope);
    if (value === undefined) {
      return { kind: 'call', ...site, argument: first };
    }
    if (argument.kind === 'list') {
      const items = [{ kind: 'value', value: reader.budget.spend(value) } as const, ...path];
      return { kind: 'call', ...site, argument: { kind: 'list', items } };
    }
    const keys = argument.kind === 'value' && isList(argument.value) ? argument.value.slice(1) : [];
    return { kind: 'value', value: reader.budget.spend(valueAt(value, keys) ?? '') };
  },
  evaluate(argument) {
    if (!isList(argument)) {
      throw new UserParameterMissingError(textOf(argument));
    }
    const [value = null, ...path] = argument;
    return valueAt(value, path) ?? '';
  },
};

/**
 * @returns undefined where it has no value, and may have none
 * @throws UserParameterMissingError where it is not declared, and has to be
 */
export function parameterOf(name: Json, site: Site, scope: Scope): Json | undefined {
  if (typeof name !== 'string') {
    throw siteError(site, `Parameter name in "${site.name}" must be string, not ${kindOf(name)}`);
  }
  const value = ownOf(scope.parameters, name);
  const mayLack = scope.allowsUndeclared || scope.missingParameters.has(name);
  if (value === undefined && !mayLack) {
    throw new UserParameterMissingError(name, site.path);
  }
  return value;
}
