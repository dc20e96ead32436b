/** The OpenAPI schemas of a resource's bodies and queries, from its attributes. */
import type { SchemaObject } from '../http/openapi-schema.js';
import type { Shape } from '../http/shown.js';
import { isGiven, type NamedAttribute } from './attribute.js';
import { ApiQuery } from '@nestjs/swagger';
import { attributesOf, type Resource } from './resource.js';

export interface BodySchemas {
  /** Of one resource or several. */
  readonly create: SchemaObject;
  readonly createOne: SchemaObject;
  readonly update: SchemaObject;
}

export function bodySchemas(resource: Resource<object>): BodySchemas {
  const { singular, plural } = resource;
  const attributes = attributesOf(resource);
  const one = newSchema(resource);
  const several = { type: 'array' as const, items: one, minItems: 1 };
  return {
    create: { type: 'object', properties: { [singular]: one, [plural]: several } },
    createOne: { type: 'object', properties: { [singular]: one }, required: [singular] },
    update: {
      type: 'object',
      properties: {
        [singular]: objectOf(attributes.filter(([, one]) => isGiven(one, 'after-creation'))),
      },
      required: [singular],
    },
  };
}

export function newSchema(resource: Pick<Resource<object>, 'attributes'>): SchemaObject {
  const attributes = attributesOf(resource);
  const created = objectOf(attributes.filter(([, one]) => isGiven(one, 'at-creation')));
  const required = attributes.filter((one) => one[1].required).map(([name]) => name);
  return { ...created, ...(required.length > 0 ? { required } : {}) };
}

/** Parameters for filters, paging and fields; any may be repeated. */
export function queryParameters(resource: Resource<object>): string[] {
  const attributes = attributesOf(resource).filter(([, { filter }]) => filter !== false);
  const paging = ['fields', 'sort_key', 'sort_dir', 'limit', 'marker', 'page_reverse'];
  return [
    ...new Set([...attributes.map(([name]) => name), ...Object.keys(resource.filters), ...paging]),
  ];
}

/** Documents the parameters of a query. */
export function ApiQueries(names: readonly string[]): MethodDecorator {
  return (...target) => {
    for (const name of names) ApiQuery({ name, required: false, type: String })(...target);
  };
}

function objectOf(attributes: readonly NamedAttribute[]): SchemaObject {
  const properties = attributes.map(([name, { type, about }]) => [
    name,
    {
      ...(type.schema ?? schemaOf(type.shape)),
      description: about,
      ...(type.nullable ? { nullable: true } : {}),
    },
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
