import { textOf } from '../../json/texts.js';
import { ALL_ATTRIBUTES, type Expression } from '../expression.js';
import { isList, type Json } from '../../json/json.js';
import { itemsOf } from './argument-form.js';
import { resourceName, textIn } from './get-resource.js';
import { siteError } from './site-error.js';
import type { Evaluation, Site, TemplateFunction } from './template-function.js';

const DESCRIPTION = 'Gives an attribute of a resource, or a part of it.';

/** Heat template guide, "get_attr", of versions before 2015-10-15. */
export const getAttr: TemplateFunction = {
  description: DESCRIPTION,
  read: (snippet, site, reader) =>
    read(reader.reduce(snippet, `${site.path}.${site.name}`), site, 2),
  evaluate: attributeOf,
  refersTo,
};

/** With the name of a resource alone, a map of all its attributes. */
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
  if (attribute?.kind === 'value' && typeof attribute.value !== 'string') {
    throw siteError(site, `The name of the attribute in "${site.name}" must be a string`);
  }
  return { kind: 'call', ...site, argument };
}

function attributeOf(argument: Json, _site: Site, { references }: Evaluation): Json {
  const [resource = null, attribute = ALL_ATTRIBUTES, ...path] = isList(argument) ? argument : [];
  const [first] = path;
  const isOfBelow = isBelow(textOf(attribute)) && typeof first === 'string';
  return references.attributeOf(
    textOf(resource),
    isOfBelow ? `${textOf(attribute)}.${first}` : textOf(attribute),
    (isOfBelow ? path.slice(1) : path).map((key) => (typeof key === 'number' ? key : textOf(key))),
  );
}

/** With a path, an attribute of a resource below: of `resource.web`, `resource.web.first_address`. */
function isBelow(attribute: string): boolean {
  return /^resource\.[^.]+$/.test(attribute);
}

/** All attributes, where a resource says which: nobody can know before. */
function refersTo(argument: Expression): { resource: string; attribute: string } {
  const [resource, attribute, first] = itemsOf(argument) ?? [];
  const name = (attribute && textIn(attribute)) ?? ALL_ATTRIBUTES;
  const below = isBelow(name) && first?.kind === 'value' ? first.value : undefined;
  return {
    resource: (resource && textIn(resource)) ?? '',
    attribute: typeof below === 'string' ? `${name}.${below}` : name,
  };
}
