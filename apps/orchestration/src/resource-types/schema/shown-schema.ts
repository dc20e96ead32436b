/**
 * What `GET /resource_types/{type}` says of a type. Public source: Orchestration API reference, "Show
 * resource type schema".
 */
import type { Json, JsonObject } from '../../json/json.js';
import type {
  AttributeSchema,
  AttributeSchemas,
  Constraint,
  PropertySchema,
  SupportStatus,
} from '../../constraints/property-schema.js';
import type { ResourceType } from '../resource-type.js';

/** What all types have besides their own. */
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

/** Without those that are hidden. */
export function visible<T extends { readonly support?: SupportStatus }>(
  schemas: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  const shown = Object.entries(schemas).filter(([, { support }]) => support?.status !== 'HIDDEN');
  return Object.fromEntries(shown);
}

/** With those that all types have. */
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

/** As templates write it, too. */
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
