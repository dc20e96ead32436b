/**
 * JSON schema documents, derived from the answer classes that they describe. Public source: Image
 * API reference, "Image Schemas", "Task Schemas" and "Metadata Definition Schemas".
 */
import {
  AdditionalProperties,
  Shown,
  shownProperties,
  type Shape,
  type ShownProperty,
} from '@cumulet/common/http/shown';
import type { Type } from '@nestjs/common';

type Properties = Readonly<Record<string, unknown>>;

class SchemaLinkView {
  @Shown(String, 'The relation of the link.')
  rel: string;

  @Shown(String, 'The property that holds the address, in braces.')
  href: string;
}

/** Documents may have further JSON schema keywords, such as `required`. */
@AdditionalProperties()
export class SchemaView {
  @Shown(String, 'The name of the schema.')
  name: string;

  @Shown(Object, 'A schema for each property.')
  properties: Properties;

  @Shown([() => SchemaLinkView], 'Links that are made of the properties.', { optional: true })
  links?: readonly SchemaLinkView[];
}

/** The property `schema` of an answer. @param name below `/v2/schemas` */
export function SchemaPath(name: string): PropertyDecorator {
  return Shown(String, 'The path of the schema.', {
    from: () => `/v2/schemas/${name}`,
    schema: { readOnly: true },
  });
}

/** Schemas of a class's properties by name. */
export function propertiesOf(view: Type): Properties {
  return Object.fromEntries(shownProperties(view).map((one) => [one.name, schemaOf(one)]));
}

/** @param links the properties, besides its schema, that link onwards from the list */
export function listSchema(name: string, items: object, links: readonly string[] = []): SchemaView {
  const addresses = [...links, 'schema'].map((link) => [link, { type: 'string' }] as const);
  return {
    name,
    properties: { [name]: { type: 'array', items }, ...Object.fromEntries(addresses) },
    links: [
      ...links.map((link) => ({ rel: link, href: `{${link}}` })),
      { rel: 'describedby', href: '{schema}' },
    ],
  };
}

function schemaOf({ shape, description, options }: ShownProperty): Properties {
  const { type, ...rest } = shapeSchema(shape);
  return {
    ...rest,
    type: options.nullable ? ['null', type] : type,
    ...(options.enum ? { enum: options.enum } : {}),
    ...options.schema,
    description,
  };
}

function shapeSchema(shape: Shape): Properties {
  if (shape === 'date-time') return { type: 'string', format: shape };
  if (typeof shape === 'string') return { type: shape };
  if (typeof shape !== 'function') return { type: 'array', items: shapeSchema(shape[0]) };
  const primitive = PRIMITIVES.get(shape);
  if (primitive !== undefined) return { type: primitive };
  return { type: 'object', properties: propertiesOf((shape as () => Type)()) };
}

const PRIMITIVES = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Object, 'object'],
]);
