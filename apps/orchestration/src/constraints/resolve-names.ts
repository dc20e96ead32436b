/** Names in properties as the ids of what they name, where a type wants ids. */
import { LookupError, type ServiceLookups } from './service-lookups.js';
import { textOf } from '../json/texts.js';
import { isList, isMap, type Json, type JsonObject } from '../json/json.js';
import type { Properties, PropertySchema, PropertySchemas } from './property-schema.js';
import { PropertyError } from './property.errors.js';

/**
 * @param properties of `resolveProperties`
 * @throws PropertyError for what is not found, or is one of several
 * @throws ServiceUnavailableError
 */
export function resolveNames(
  schemas: PropertySchemas,
  properties: Properties,
  lookups: Pick<ServiceLookups, 'find'>,
): Promise<Properties> {
  return namesOfMap(schemas, properties, '', lookups);
}

async function namesOfMap(
  schemas: PropertySchemas,
  map: JsonObject,
  path: string,
  lookups: Pick<ServiceLookups, 'find'>,
): Promise<JsonObject> {
  const resolved = Object.entries(map).map(async ([name, value]): Promise<[string, Json]> => {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    const at = path === '' ? name : `${path}.${name}`;
    return [name, schema ? await namesOf(schema, value, at, lookups) : value];
  });
  return Object.fromEntries(await Promise.all(resolved));
}

async function namesOf(
  schema: PropertySchema,
  value: Json,
  path: string,
  lookups: Pick<ServiceLookups, 'find'>,
): Promise<Json> {
  if (value === null || value === '') return value;
  const constraint = schema.translation?.resolves;
  const item = constraint === undefined ? schema.schema?.['*'] : schema;
  if (isList(value) && item)
    return Promise.all(value.map((one, at) => namesOf(item, one, `${path}[${at}]`, lookups)));
  if (isMap(value) && schema.schema) return namesOfMap(schema.schema, value, path, lookups);
  if (constraint === undefined) return value;
  try {
    return await lookups.find(constraint, textOf(value));
  } catch (error) {
    throw error instanceof LookupError ? new PropertyError(path, error.message) : error;
  }
}
