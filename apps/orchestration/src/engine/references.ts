import { isMap, ownOf, type Json, type JsonObject } from '../template/json.js';
import { ALL_ATTRIBUTES, type References } from '../template/expression.js';
import { TemplateError } from '../template/template.errors.js';

/** What is known of a resource that others refer to. */
export interface Referred {
  readonly name: string;
  readonly reference: Json;
  readonly attributes: Readonly<Record<string, Json>>;
}

/** Among attributes: why there are some that are not, by their names. No attribute is called so. */
export const ATTRIBUTE_ERRORS = '';

/** References to resources as they were last settled. */
export function referencesTo(resources: Iterable<Referred>): References {
  const byName = new Map([...resources].map((one) => [one.name, one]));
  const find = (name: string): Referred => {
    const found = byName.get(name);
    if (found) return found;
    throw new TemplateError(`The specified reference "${name}" (in unknown) is incorrect.`);
  };
  return {
    referenceOf: (name) => find(name).reference,
    attributeOf(name, attribute, path) {
      const { attributes } = find(name);
      if (attribute === ALL_ATTRIBUTES) {
        const { show: _, [ATTRIBUTE_ERRORS]: __, ...all } = attributes;
        return at(all, path);
      }
      const error = ownOf(asMap(attributes[ATTRIBUTE_ERRORS]), attribute);
      if (typeof error === 'string') throw new TemplateError(error);
      if (!Object.hasOwn(attributes, attribute))
        throw new TemplateError(`The Referenced Attribute (${name} ${attribute}) is incorrect.`);
      return at(attributes[attribute] ?? null, path);
    },
  };
}

function asMap(value: Json | undefined): JsonObject {
  return value !== undefined && isMap(value) ? value : {};
}

/** Null where the path leads nowhere. */
export function at(value: Json, path: readonly (string | number)[]): Json {
  let found: Json = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null) return null;
    const key = Array.isArray(found) ? Number(step) : step;
    if (!Object.hasOwn(found, key)) return null;
    found = (found as Readonly<Record<string | number, Json>>)[key] ?? null;
  }
  return found;
}
