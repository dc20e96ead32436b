import { textOf } from '../../json/texts.js';
import type { TemplateFunction } from './template-function.js';
import { parameterOf } from './get-param.js';
import { getResource } from './get-resource.js';
import { siteError } from './site-error.js';
import { InvalidTemplateReferenceError, UserParameterMissingError } from '../template.errors.js';
import { isList, ownOf } from '../../json/json.js';

/**
 * AWS CloudFormation User Guide, "Ref", to a parameter alone: what conditions may be made of. A
 * call of a parameter that has no value keeps its name in a list.
 */
export const refToParameter: TemplateFunction = {
  description: 'Gives the value of a parameter.',
  read(snippet, site, reader) {
    const argument = reader.reduce(snippet, `${site.path}.${site.name}`);
    const name = argument.kind === 'value' ? argument.value : null;
    if (typeof name !== 'string') {
      throw siteError(site, `The argument to "${site.name}" must be a name`);
    }
    const { parameters, missingParameters } = reader.scope;
    if (ownOf(parameters, name) === undefined && !missingParameters.has(name)) {
      throw new InvalidTemplateReferenceError(name, site.path);
    }
    const value = parameterOf(name, site, reader.scope);
    return value === undefined
      ? { kind: 'call', ...site, argument: { kind: 'list', items: [argument] } }
      : { kind: 'value', value: reader.budget.spend(value) };
  },
};

/** AWS CloudFormation User Guide, "Ref": to a resource or a parameter. */
export const ref: TemplateFunction = {
  ...getResource,
  evaluate(argument, site, evaluation) {
    if (isList(argument)) {
      throw new UserParameterMissingError(textOf(argument[0] ?? null));
    }
    return evaluation.references.referenceOf(textOf(argument));
  },
  description: 'Gives the value of a parameter, or what a resource is referred to by.',
  read: (snippet, site, reader) =>
    typeof snippet === 'string' && reader.scope.resourceNames.has(snippet)
      ? getResource.read(snippet, site, reader)
      : refToParameter.read(snippet, site, reader),
};
