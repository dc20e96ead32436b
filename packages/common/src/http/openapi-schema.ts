/** Schemas of OpenAPI 3.1 (JSON Schema 2020-12). */
import type { OpenAPIObject } from '@nestjs/swagger';

export type SchemaObject = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** The extension by which a class describes its additional properties. */
export const ADDITIONAL = 'x-additional-properties';

/**
 * Converts a part of an OpenAPI 3.0 document to 3.1. There, `nullable` becomes another type, and
 * siblings of a `$ref` count, so nothing needs to be wrapped in `allOf`.
 */
export function toOpenApi31(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toOpenApi31);
  if (!isObject(node)) return node;
  const converted = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, toOpenApi31(value)]),
  );
  return withNull(withAdditional(withoutWrapper(converted)));
}

function withoutWrapper(schema: Record<string, unknown>): Record<string, unknown> {
  const { allOf, type: _type, ...rest } = schema;
  const [only, ...others] = Array.isArray(allOf) ? (allOf as unknown[]) : [];
  return isObject(only) && '$ref' in only && others.length === 0 ? { ...rest, ...only } : schema;
}

function withAdditional(schema: Record<string, unknown>): Record<string, unknown> {
  const { [ADDITIONAL]: additionalProperties, ...rest } = schema;
  return additionalProperties === undefined ? schema : { ...rest, additionalProperties };
}

/** A property that is itself named `nullable` has a schema there, never `true`. */
function withNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { nullable, type, enum: words, $ref, anyOf, oneOf, ...rest } = schema;
  if (nullable !== true) return schema;
  const alternatives = ([$ref === undefined ? undefined : [{ $ref }], anyOf, oneOf] as unknown[])
    .filter((one): one is unknown[] => Array.isArray(one))
    .flat();
  if (alternatives.length > 0) return { ...rest, anyOf: [...alternatives, { type: 'null' }] };
  return {
    ...rest,
    type: [type, 'null'].flat(),
    ...(Array.isArray(words) ? { enum: [...(words as unknown[]), null] } : {}),
  };
}

/**
 * A schema from a sample value: every property is required and has the sample's type, and the members of
 * a list have that of its first.
 * @param constant a number that is the same in every such value
 */
export function schemaOfExample(value: unknown, constant?: number): SchemaObject {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) {
    const [first] = value as readonly unknown[];
    return { type: 'array', items: first === undefined ? {} : schemaOfExample(first, constant) };
  }
  if (!isObject(value)) {
    if (typeof value !== 'number') return { type: typeof value };
    return { type: 'integer', ...(value === constant ? { enum: [value] } : {}) };
  }
  const properties = Object.entries(value).map(([key, one]) => [
    key,
    schemaOfExample(one, constant),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as Record<string, SchemaObject>,
    required: Object.keys(value),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
