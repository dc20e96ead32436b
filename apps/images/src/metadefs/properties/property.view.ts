/** Properties as clients read them. Public source: Image API reference, "List properties". */
import type { NewDefinition } from '../definition.js';
import type { MetadefView } from '../shown-fields.js';
import type { MetadefProperty } from './property.entity.js';
import type { PropertySchemas } from './property-schema.js';

type ShownProperty = NewDefinition<MetadefProperty>;

export function propertyView({ name, schema }: ShownProperty): MetadefView {
  return { ...schema, name };
}

export function propertyListView(properties: readonly ShownProperty[]): MetadefView {
  return { properties: schemasByName(properties) };
}

export function schemasByName(properties: readonly ShownProperty[]): PropertySchemas {
  return Object.fromEntries(properties.map(({ name, schema }) => [name, schema]));
}
