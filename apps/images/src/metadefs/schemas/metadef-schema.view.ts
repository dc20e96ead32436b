/**
 * JSON schema documents of metadata definitions; glanceclient makes its models of them. Public
 * source: Image API reference, "Metadata Definition Schemas".
 */
import type { SchemaView } from '../../schemas/schema.view.js';
import {
  ASSOCIATION_PROPERTIES,
  CONTAINER_DEFINITIONS,
  NAMESPACE_PROPERTIES,
  OBJECT_PROPERTIES,
  PROPERTY_DEFINITIONS,
  PROPERTY_PROPERTIES,
  TAG_PROPERTIES,
} from './metadef-schema.properties.js';

type Definitions = Readonly<Record<string, unknown>>;

export interface MetadefSchemaView extends SchemaView {
  readonly additionalProperties?: boolean;
  readonly required?: readonly string[];
  readonly definitions?: Definitions;
}

export const METADEF_SCHEMAS = {
  namespace: {
    ...itemSchema('namespace', NAMESPACE_PROPERTIES, ['namespace']),
    definitions: CONTAINER_DEFINITIONS,
  },
  namespaces: {
    ...listSchema('namespaces', itemSchema('namespace', NAMESPACE_PROPERTIES, ['namespace'])),
    definitions: CONTAINER_DEFINITIONS,
  },
  object: {
    ...itemSchema('object', OBJECT_PROPERTIES, ['name']),
    definitions: CONTAINER_DEFINITIONS,
  },
  objects: {
    ...listSchema('objects', itemSchema('object', OBJECT_PROPERTIES, ['name'])),
    definitions: CONTAINER_DEFINITIONS,
  },
  property: {
    ...itemSchema('property', PROPERTY_PROPERTIES, ['type', 'title', 'name']),
    definitions: PROPERTY_DEFINITIONS,
  },
  properties: {
    ...mapSchema('properties', itemSchema('property', PROPERTY_PROPERTIES, ['type', 'title'])),
    definitions: PROPERTY_DEFINITIONS,
  },
  resource_type: itemSchema('resource_type_association', ASSOCIATION_PROPERTIES, ['name']),
  resource_types: listSchema(
    'resource_type_associations',
    itemSchema('resource_type_association', ASSOCIATION_PROPERTIES, ['name']),
  ),
  tag: itemSchema('tag', TAG_PROPERTIES, ['name']),
  tags: listSchema('tags', itemSchema('tag', TAG_PROPERTIES, ['name'])),
} as const satisfies Readonly<Record<string, MetadefSchemaView>>;

function itemSchema(
  name: string,
  properties: Definitions,
  required: readonly string[],
): MetadefSchemaView {
  return { name, properties, additionalProperties: false, required };
}

function listSchema(name: string, items: MetadefSchemaView): MetadefSchemaView {
  return collectionSchema(name, { type: 'array', items });
}

/** Of items by their names. */
function mapSchema(name: string, items: MetadefSchemaView): MetadefSchemaView {
  return collectionSchema(name, { type: 'object', additionalProperties: items });
}

function collectionSchema(name: string, items: Definitions): MetadefSchemaView {
  const link = { type: 'string' };
  return {
    name,
    properties: { [name]: items, first: link, next: link, schema: link },
    links: [
      { rel: 'first', href: '{first}' },
      { rel: 'next', href: '{next}' },
      { rel: 'describedby', href: '{schema}' },
    ],
  };
}
