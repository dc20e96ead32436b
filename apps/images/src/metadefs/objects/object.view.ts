/** Objects as clients read them. Public source: Image API reference, "Show object". */
import { objectLink, schemaLink } from '../metadef-links.js';
import { shownTimes, withoutNulls, type MetadefView } from '../shown-fields.js';
import type { MetadefObject } from './object.entity.js';

export type ShownObject = Omit<MetadefObject, 'namespaceId'>;

/** @param namespace the name of the namespace that it stands in */
export function objectView(object: ShownObject, namespace: string): MetadefView {
  return withoutNulls({
    name: object.name,
    description: object.description,
    required: object.required,
    properties: object.properties,
    ...shownTimes(object),
    self: objectLink(namespace, object.name),
    schema: schemaLink('object'),
  });
}

export function objectListView(objects: readonly ShownObject[], namespace: string): MetadefView {
  return {
    objects: objects.map((object) => objectView(object, namespace)),
    schema: schemaLink('objects'),
  };
}
