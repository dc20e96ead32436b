/** Typed access to properties, whose values the schema has checked. Null means not given. */
import { isList, isMap, type Json, type JsonObject } from '../json/json.js';
import { isNumeric, textOfNumber } from '../json/numbers.js';
import type { Properties } from '../constraints/property-schema.js';

/** Of a request's body; undefined ones are left out. */
export type Fields = Readonly<Record<string, Json | undefined>>;

export function textIn(properties: Properties, name: string): string | undefined {
  const value = properties[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(properties: Properties, name: string): number | undefined {
  const value = properties[name];
  return isNumeric(value) ? Number(value) : undefined;
}

export function flagIn(properties: Properties, name: string): boolean | undefined {
  const value = properties[name];
  return typeof value === 'boolean' ? value : undefined;
}

export function listIn(properties: Properties, name: string): readonly Json[] | undefined {
  const value = properties[name];
  return Array.isArray(value) ? (value as readonly Json[]) : undefined;
}

export function textsIn(properties: Properties, name: string): readonly string[] | undefined {
  return listIn(properties, name)?.map(String);
}

export function mapsIn(properties: Properties, name: string): readonly JsonObject[] | undefined {
  return listIn(properties, name)?.filter(isObject);
}

export function mapIn(properties: Properties, name: string): JsonObject | undefined {
  return asObject(properties[name]);
}

export function isGiven(properties: Properties, name: string): boolean {
  return properties[name] !== undefined && properties[name] !== null;
}

/** Empty for anything but a scalar. */
export function asText(value: Json | undefined): string {
  if (value === undefined || value === null || isMap(value) || isList(value)) return '';
  return isNumeric(value) ? textOfNumber(value) : String(value);
}

export function asObjects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];
}

export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return isMap(value);
}

export function given(properties: Properties, ...names: readonly string[]): Fields {
  return Object.fromEntries(
    names.filter((name) => isGiven(properties, name)).map((name) => [name, properties[name]]),
  );
}

export function withoutGaps(fields: Fields): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}

export function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}

export function textsOf(values: readonly (Json | undefined)[]): readonly string[] {
  return values.filter((one) => typeof one === 'string');
}
