/** Public source: Orchestration API reference, "Show resource type schema". */
import type {
  AttributeSchema,
  AttributeSchemas,
  Constraint,
  PropertySchema,
  PropertyType,
  SupportStatus,
} from '../../constraints/property-schema.js';
import type { Json, JsonObject } from '../../json/json.js';
import { shownConstraints } from '../../template/parameters/parameter-view.js';
import type { ResourceType } from '../resource-type.js';

const BASE_ATTRIBUTES: AttributeSchemas = {
  show: { type: 'map', description: 'Detailed information about resource.' },
};

export type ShownType = Pick<
  ResourceType,
  'name' | 'description' | 'support' | 'properties' | 'attributes'
>;

export function shownType(type: ShownType, withDescription: boolean): JsonObject {
  return {
    resource_type: type.name,
    properties: mapped(visible(type.properties), shownProperty),
    attributes: mapped(visibleAttributes(type), shownAttribute),
    support_status: shownSupport(type.support),
    ...(withDescription ? { description: type.description } : {}),
  };
}

export function visible<T extends { readonly support?: SupportStatus }>(
  schemas: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  const shown = Object.entries(schemas).filter(([, { support }]) => support?.status !== 'HIDDEN');
  return Object.fromEntries(shown);
}

export function visibleAttributes({ attributes }: ShownType): AttributeSchemas {
  return { ...visible(attributes), ...BASE_ATTRIBUTES };
}

function shownProperty(schema: PropertySchema): JsonObject {
  const { type, description, constraints = [], required, updatable, immutable } = schema;
  return {
    type,
    description,
    ...(schema.default === undefined || schema.default === null ? {} : { default: schema.default }),
    ...(schema.schema === undefined ? {} : { schema: mapped(schema.schema, shownProperty) }),
    required: required ?? false,
    ...(constraints.length === 0 ? {} : { constraints: constraints.map(shownConstraint) }),
    update_allowed: updatable ?? false,
    immutable: immutable ?? false,
  };
}

function shownAttribute({ description, type }: AttributeSchema): JsonObject {
  return { description, ...(type === undefined ? {} : { type }) };
}

export function shownSupport(support: SupportStatus = { status: 'SUPPORTED' }): JsonObject {
  const { status, message = null, version = null } = support;
  return { status, message, version, previous_status: null };
}

/** In the form of templates. */
export function shownConstraint(constraint: Constraint): JsonObject {
  const { description } = constraint;
  return { ...bareConstraint(constraint), ...(description === undefined ? {} : { description }) };
}

export function bareConstraint(constraint: Constraint): JsonObject {
  switch (constraint.kind) {
    case 'length':
    case 'range': {
      const { kind, min, max } = constraint;
      const bounds = {
        ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }),
      };
      return { [kind]: bounds };
    }
    case 'modulo':
      return { modulo: { step: constraint.step, offset: constraint.offset } };
    case 'values':
      return { allowed_values: constraint.allowed };
    case 'pattern':
      return { allowed_pattern: constraint.pattern };
    case 'custom':
      return { custom_constraint: constraint.name };
  }
}

function mapped<T>(
  schemas: Readonly<Record<string, T>>,
  shown: (schema: T) => Json,
): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, shown(one)]));
}

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

/**
 * A generated template with a type's properties as parameters and its attributes as outputs.
 * Public source: Orchestration API reference, "Show resource type template".
 */
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
