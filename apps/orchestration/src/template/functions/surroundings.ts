/** Functions for data of the request, the environment and the cloud. */
import { isList, kindOf, ownOf, type Json } from '../../json/json.js';
import { textOf } from '../../json/texts.js';
import type { Facade } from '../read-template.js';
import { UserParameterMissingError } from '../template.errors.js';
import {
  itemsOf,
  siteError,
  type Scope,
  type Site,
  type TemplateFunction,
} from './template-function.js';
import { valueAt } from './value-path.js';

/**
 * Heat template guide, "get_param". A path that leads nowhere gives an empty text.
 *
 * A call whose path waits for a resource contains the parameter's value in place of its name; one whose
 * parameter has no value contains the name alone.
 */
export const getParam: TemplateFunction = {
  description: 'Gives the value of a parameter, or a part of it.',
  read(snippet, site, reader) {
    const argument = reader.reduce(snippet, `${site.path}.${site.name}`);
    const [first, ...path] = itemsOf(argument) ?? [argument];
    if (first?.kind !== 'value' || first.value === '')
      throw siteError(site, `Function "${site.name}" must have arguments that are known`);
    const value = parameterOf(first.value, site, reader.scope);
    if (value === undefined) return { kind: 'call', ...site, argument: first };
    if (argument.kind === 'list') {
      const items = [{ kind: 'value', value: reader.budget.spend(value) } as const, ...path];
      return { kind: 'call', ...site, argument: { kind: 'list', items } };
    }
    const keys = argument.kind === 'value' && isList(argument.value) ? argument.value.slice(1) : [];
    return { kind: 'value', value: reader.budget.spend(valueAt(value, keys) ?? '') };
  },
  evaluate(argument) {
    if (!isList(argument)) throw new UserParameterMissingError(textOf(argument));
    const [value = null, ...path] = argument;
    return valueAt(value, path) ?? '';
  },
};

/** @returns undefined for a missing value. @throws UserParameterMissingError if undeclared */
export function parameterOf(name: Json, site: Site, scope: Scope): Json | undefined {
  if (typeof name !== 'string')
    throw siteError(site, `Parameter name in "${site.name}" must be string, not ${kindOf(name)}`);
  const value = ownOf(scope.parameters, name);
  const mayLack = scope.allowsUndeclared || scope.missingParameters.has(name);
  if (value === undefined && !mayLack) throw new UserParameterMissingError(name, site.path);
  return value;
}

type Part = (facade: Facade) => Json;

/** Heat template guide, "resource_facade". */
export const resourceFacade = facadeFunction({
  metadata: (facade) => facade.metadata,
  deletion_policy: (facade) => facade.deletionPolicy,
  update_policy: (facade) => facade.updatePolicy,
});

export const fnResourceFacade = facadeFunction({
  Metadata: (facade) => facade.metadata,
  DeletionPolicy: (facade) => facade.deletionPolicy,
  UpdatePolicy: (facade) => facade.updatePolicy,
});

function facadeFunction(parts: Readonly<Record<string, Part>>): TemplateFunction {
  return {
    description: 'Gives data of the resource, of a stack above, that this template makes up.',
    read(argument, site, { scope, budget }) {
      const part = Object.entries(parts).find(([name]) => name === argument)?.[1];
      if (part === undefined) {
        const allowed = Object.keys(parts).join(', ');
        throw siteError(site, `Incorrect arguments to "${site.name}" should be one of: ${allowed}`);
      }
      if (scope.facade === undefined)
        throw siteError(site, `"${site.name}" is for templates that make up a resource`);
      return { kind: 'value', value: budget.spend(part(scope.facade)) };
    },
  };
}

/** Heat template guide, "get_file": from the request's files; nothing is downloaded. */
export const getFile: TemplateFunction = {
  // Clients match these words.
  description: 'A function for including a file inline.',
  read(snippet, site, reader) {
    const argument = reader.reduce(snippet, `${site.path}.${site.name}`);
    if (argument.kind !== 'value' && reader.scope.missingParameters.size > 0)
      return { kind: 'call', ...site, argument };
    if (argument.kind !== 'value' || typeof argument.value !== 'string')
      throw siteError(site, `Argument to "${site.name}" must be a string`);
    const content = ownOf(reader.scope.files, argument.value);
    if (content === undefined)
      throw siteError(
        site,
        `No content found in the "files" section for ${site.name} path: ${argument.value}`,
      );
    return { kind: 'value', value: reader.budget.spend(content) };
  },
};

/** AWS CloudFormation User Guide, "Fn::GetAZs", for any region. */
export const fnGetAzs: TemplateFunction = {
  description: 'Gives the names of the availability zones.',
  read(snippet, site, reader) {
    reader.reduce(snippet, `${site.path}.${site.name}`);
    return { kind: 'value', value: reader.budget.spend(reader.scope.zones) };
  },
};
