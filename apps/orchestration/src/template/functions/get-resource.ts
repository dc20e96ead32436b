import { textOf } from '../../json/texts.js';
import type { Expression } from '../expression.js';
import { siteError } from './site-error.js';
import type { Site, TemplateFunction } from './template-function.js';

/** Heat template guide, "get_resource". */
export const getResource: TemplateFunction = {
  description: 'Gives what a resource is referred to by: by most types its physical id.',
  read(snippet, site, reader) {
    const argument = reader.reduce(snippet, `${site.path}.${site.name}`);
    resourceName(argument, site);
    return { kind: 'call', ...site, argument };
  },
  evaluate: (argument, _site, { references }) => references.referenceOf(textOf(argument)),
  refersTo: (argument) => {
    const resource = textIn(argument);
    return resource === undefined ? undefined : { resource, attribute: undefined };
  },
};

/** @throws TemplateError unless the name of a resource is known while the template is read */
export function resourceName(name: Expression | undefined, site: Site): string {
  const text = name === undefined ? undefined : textIn(name);
  if (text === undefined) {
    throw siteError(site, `The name of the resource in "${site.name}" must be a string`);
  }
  return text;
}

export function textIn(expression: Expression): string | undefined {
  return expression.kind === 'value' && typeof expression.value === 'string'
    ? expression.value
    : undefined;
}
