import type { ShownObject } from '../objects/object.view.js';
import type { Contents } from './namespace-contents.js';

/**
 * The contents with the names that properties have on resources of a type: with the prefix of its
 * association. Without such an association, or one without a prefix, they stay as they are.
 */
export function prefixedContents(contents: Contents, resourceType: string | undefined): Contents {
  const association = contents.associations.find(({ name }) => name === resourceType);
  const prefix = association?.prefix ?? '';
  if (prefix === '') return contents;
  return {
    ...contents,
    properties: contents.properties.map((one) => ({ ...one, name: prefix + one.name })),
    objects: contents.objects.map((object) => prefixedObject(object, prefix)),
  };
}

function prefixedObject(object: ShownObject, prefix: string): ShownObject {
  const properties = Object.entries(object.properties);
  return {
    ...object,
    required: object.required.map((name) => prefix + name),
    properties: Object.fromEntries(properties.map(([name, one]) => [prefix + name, one])),
  };
}
