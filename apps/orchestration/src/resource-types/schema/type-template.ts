/**
 * A template to begin with for a type: its properties as parameters, its attributes as outputs. Public
 * source: Orchestration API reference, "Show resource type template".
 */
import { shownConstraints } from '../../template/parameters/parameter-view.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { PropertySchema, PropertyType } from '../../constraints/property-schema.js';
import { bareConstraint, visible, visibleAttributes, type ShownType } from './shown-schema.js';

export type TemplateType = 'hot' | 'cfn';

const HOT_VERSION = '2016-10-14';
const CFN_VERSION = '2012-12-12';

const HOT_TYPES: Readonly<Record<PropertyType, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  map: 'json',
  list: 'comma_delimited_list',
  any: 'json',
};
const CFN_TYPES: Readonly<Record<PropertyType, string>> = {
  string: 'String',
  integer: 'Number',
  number: 'Number',
  boolean: 'Boolean',
  map: 'Json',
  list: 'CommaDelimitedList',
  any: 'Json',
};

export function typeTemplate(type: ShownType, as: TemplateType): JsonObject {
  return as === 'hot' ? hotTemplate(type) : cfnTemplate(type);
}

function hotTemplate(type: ShownType): JsonObject {
  const name = shortName(type);
  const attributes = Object.entries(visibleAttributes(type)).map(([attribute, { description }]) => [
    attribute,
    { value: { get_attr: [name, attribute] }, description },
  ]);
  return {
    heat_template_version: HOT_VERSION,
    description: `Initial template of ${name}`,
    parameters: ofProperties(type, (_, schema) => hotParameter(schema)),
    resources: {
      [name]: {
        type: type.name,
        properties: ofProperties(type, (property) => ({ get_param: property })),
      },
    },
    outputs: {
      ...(Object.fromEntries(attributes) as JsonObject),
      'OS::stack_id': { value: { get_resource: name } },
    },
  };
}

function cfnTemplate(type: ShownType): JsonObject {
  const name = shortName(type);
  const attributes = Object.entries(visibleAttributes(type)).map(([attribute, { description }]) => [
    attribute,
    { Value: { 'Fn::GetAtt': [name, attribute] }, Description: description },
  ]);
  return {
    HeatTemplateFormatVersion: CFN_VERSION,
    Description: `Initial template of ${name}`,
    Parameters: ofProperties(type, (_, schema) => cfnParameter(schema)),
    Resources: {
      [name]: {
        Type: type.name,
        Properties: ofProperties(type, (property, schema) =>
          schema.type === 'list' ? { 'Fn::Split': [',', { Ref: property }] } : { Ref: property },
        ),
      },
    },
    Outputs: {
      ...(Object.fromEntries(attributes) as JsonObject),
      'OS::stack_id': { Value: { Ref: name } },
    },
  };
}

function hotParameter({
  type,
  description,
  constraints = [],
  ...rest
}: PropertySchema): JsonObject {
  return {
    type: HOT_TYPES[type],
    description,
    ...(hasDefault(rest) ? { default: rest.default } : {}),
    ...(constraints.length === 0 ? {} : { constraints: constraints.map(bareConstraint) }),
  };
}

function cfnParameter({
  type,
  description,
  constraints = [],
  ...rest
}: PropertySchema): JsonObject {
  // The format has no others.
  const known = constraints.filter(({ kind }) => kind !== 'modulo' && kind !== 'custom');
  return {
    Type: CFN_TYPES[type],
    Description: description,
    ...(hasDefault(rest) ? { Default: rest.default } : {}),
    ...shownConstraints(known.map(({ description: _, ...one }) => one)),
    ...(type === 'boolean' ? { AllowedValues: ['True', 'true', 'False', 'false'] } : {}),
  };
}

function hasDefault(schema: Pick<PropertySchema, 'default'>): schema is { default: Json } {
  return schema.default !== undefined && schema.default !== null;
}

function ofProperties(
  { properties }: ShownType,
  shown: (name: string, schema: PropertySchema) => JsonObject,
): JsonObject {
  const entries = Object.entries(visible(properties));
  return Object.fromEntries(entries.map(([name, schema]) => [name, shown(name, schema)]));
}

/** `Server` of `OS::Nova::Server` */
function shortName({ name }: ShownType): string {
  return name.split('::').at(-1) ?? name;
}
