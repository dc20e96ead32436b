import { isList, ownOf, type Json } from '../../json/json.js';
import { textOf } from '../../json/texts.js';
import { ALL_ATTRIBUTES, type Expression } from '../expression.js';
import { InvalidTemplateReferenceError, UserParameterMissingError } from '../template.errors.js';
import { parameterOf } from './surroundings.js';
import {
  itemsOf,
  siteError,
  type Evaluation,
  type Site,
  type TemplateFunction,
} from './template-function.js';

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

/** @throws TemplateError unless the name of the resource is known while the template is read */
export function resourceName(name: Expression | undefined, site: Site): string {
  const text = name === undefined ? undefined : textIn(name);
  if (text === undefined)
    throw siteError(site, `The name of the resource in "${site.name}" must be a string`);
  return text;
}

export function textIn(expression: Expression): string | undefined {
  return expression.kind === 'value' && typeof expression.value === 'string'
    ? expression.value
    : undefined;
}

const DESCRIPTION = 'Gives an attribute of a resource, or a part of it.';

/** Heat template guide, "get_attr", before 2015-10-15. */
export const getAttr: TemplateFunction = {
  description: DESCRIPTION,
  read: (snippet, site, reader) =>
    read(reader.reduce(snippet, `${site.path}.${site.name}`), site, 2),
  evaluate: attributeOf,
  refersTo,
};

/** Without an attribute, a map of all attributes. */
export const getAttrOrAll: TemplateFunction = {
  ...getAttr,
  description: 'Gives an attribute of a resource, a part of it, or a map of all its attributes.',
  read: (snippet, site, reader) =>
    read(reader.reduce(snippet, `${site.path}.${site.name}`), site, 1),
};

/** AWS CloudFormation User Guide, "Fn::GetAtt": without paths. */
export const fnGetAtt: TemplateFunction = {
  ...getAttr,
  description: 'Gives an attribute of a resource.',
  read: (snippet, site, reader) =>
    read(reader.reduce(snippet, `${site.path}.${site.name}`), site, 2, 2),
};

function read(argument: Expression, site: Site, min: number, max = Infinity): Expression {
  const items = itemsOf(argument);
  if (items === undefined || items.length < min || items.length > max) {
    const forms = ['[resource_name, attribute]', '[resource_name, attribute, (path), ...]'];
    const form = `${min === 1 ? '[resource_name] or ' : ''}${forms[max === 2 ? 0 : 1] ?? ''}`;
    throw siteError(site, `Arguments to "${site.name}" must be of the form ${form}`);
  }
  resourceName(items[0], site);
  const attribute = items[1];
  if (attribute?.kind === 'value' && typeof attribute.value !== 'string')
    throw siteError(site, `The name of the attribute in "${site.name}" must be a string`);
  return { kind: 'call', ...site, argument };
}

function attributeOf(argument: Json, _site: Site, { references }: Evaluation): Json {
  const [resource = null, attribute = ALL_ATTRIBUTES, ...path] = isList(argument) ? argument : [];
  const [first] = path;
  const isNested = isNestedAttribute(textOf(attribute)) && typeof first === 'string';
  return references.attributeOf(
    textOf(resource),
    isNested ? `${textOf(attribute)}.${first}` : textOf(attribute),
    (isNested ? path.slice(1) : path).map((key) => (typeof key === 'number' ? key : textOf(key))),
  );
}

/** A path with an attribute of a nested resource, as in `resource.web.first_address`. */
function isNestedAttribute(attribute: string): boolean {
  return /^resource\.[^.]+$/.test(attribute);
}

/** All attributes, if the name depends on another resource. */
function refersTo(argument: Expression): { resource: string; attribute: string } {
  const [resource, attribute, first] = itemsOf(argument) ?? [];
  const name = (attribute && textIn(attribute)) ?? ALL_ATTRIBUTES;
  const below = isNestedAttribute(name) && first?.kind === 'value' ? first.value : undefined;
  return {
    resource: (resource && textIn(resource)) ?? '',
    attribute: typeof below === 'string' ? `${name}.${below}` : name,
  };
}

/** AWS CloudFormation User Guide, "Ref", in conditions. A missing value keeps a list of the name. */
export const refToParameter: TemplateFunction = {
  description: 'Gives the value of a parameter.',
  read(snippet, site, reader) {
    const argument = reader.reduce(snippet, `${site.path}.${site.name}`);
    const name = argument.kind === 'value' ? argument.value : null;
    if (typeof name !== 'string')
      throw siteError(site, `The argument to "${site.name}" must be a name`);
    const { parameters, missingParameters } = reader.scope;
    if (ownOf(parameters, name) === undefined && !missingParameters.has(name))
      throw new InvalidTemplateReferenceError(name, site.path);
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
    if (isList(argument)) throw new UserParameterMissingError(textOf(argument[0] ?? null));
    return evaluation.references.referenceOf(textOf(argument));
  },
  description: 'Gives the value of a parameter, or what a resource is referred to by.',
  read: (snippet, site, reader) =>
    typeof snippet === 'string' && reader.scope.resourceNames.has(snippet)
      ? getResource.read(snippet, site, reader)
      : refToParameter.read(snippet, site, reader),
};
