/** What the OpenAPI document says of a resource's bodies and queries, from its attributes. */
import type { SchemaObject } from '@cumulet/common/http/openapi-schema';
import type { Shape } from '@cumulet/common/http/shown';
import { isGiven, type Attribute } from './attribute.js';
import { attributesOf, COMMON_FILTERS, type Resource } from './resource.js';

export interface BodySchemas {
  readonly create: SchemaObject;
  readonly update: SchemaObject;
}

export function bodySchemas(resource: Resource<object>): BodySchemas {
  const { singular, plural } = resource;
  const attributes = attributesOf(resource);
  const created = objectOf(attributes.filter(([, one]) => isGiven(one, 'at-creation')));
  const required = attributes.filter((one) => one[1].required).map(([name]) => name);
  const one = { ...created, ...(required.length > 0 ? { required } : {}) };
  const several = { type: 'array' as const, items: one, minItems: 1 };
  return {
    create: { type: 'object', properties: { [singular]: one, [plural]: several } },
    update: {
      type: 'object',
      properties: {
        [singular]: objectOf(attributes.filter(([, one]) => isGiven(one, 'after-creation'))),
      },
      required: [singular],
    },
  };
}

/** Filters and what pages and fields are asked by; any may be repeated. */
export function queryParameters(resource: Resource<object>): string[] {
  const attributes = attributesOf(resource).filter(([, { filter }]) => filter !== false);
  const special = [...Object.keys(COMMON_FILTERS), ...Object.keys(resource.filters ?? {})];
  const paging = ['fields', 'sort_key', 'sort_dir', 'limit', 'marker', 'page_reverse'];
  return [...new Set([...attributes.map(([name]) => name), ...special, ...paging])];
}

function objectOf(attributes: readonly (readonly [string, Attribute])[]): SchemaObject {
  const properties = attributes.map(([name, { type, about }]) => [
    name,
    { ...schemaOf(type.shape), description: about, ...(type.nullable ? { nullable: true } : {}) },
  ]);
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties) as Record<string, SchemaObject>,
  };
}

const PRIMITIVES = new Map<Shape, SchemaObject>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  ['integer', { type: 'integer' }],
  ['date-time', { type: 'string', format: 'date-time' }],
]);

function schemaOf(shape: Shape): SchemaObject {
  if (Array.isArray(shape)) return { type: 'array', items: schemaOf(shape[0] as Shape) };
  return PRIMITIVES.get(shape) ?? { type: 'object', additionalProperties: true };
}
