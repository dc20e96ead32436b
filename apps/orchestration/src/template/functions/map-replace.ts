import { textOf } from '../../json/texts.js';
import { isList, isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import { itemsOf } from './argument-form.js';
import { computed } from './computed.js';
import { formError, siteError } from './site-error.js';
import type { Site } from './template-function.js';

const FORM = '[{"key1": "val1"}, {"keys": {"key1": "key2"}, "values": {"val1": "val2"}}]';

/** Heat template guide, "map_replace". */
export const mapReplace = computed({
  description: 'Puts other keys and values into a map.',
  check(argument, site) {
    if (argument.kind !== 'call' && itemsOf(argument)?.length !== 2) {
      throw formError(site, FORM);
    }
  },
  compute(argument, site) {
    const [first = null, second = null] = isList(argument) ? argument : [];
    const map = mapIn(first, site);
    const replacements = mapIn(second, site);
    if (Object.keys(replacements).some((key) => key !== 'keys' && key !== 'values')) {
      throw formError(site, FORM);
    }
    const keys = mapIn(ownOf(replacements, 'keys') ?? null, site);
    const values = mapIn(ownOf(replacements, 'values') ?? null, site);
    const result = new Map<string, Json>();
    for (const [key, value] of Object.entries(map)) {
      result.set(newKey(key, keys, map, result, site), newValue(value, values));
    }
    return Object.fromEntries(result);
  },
});

function newKey(
  key: string,
  keys: JsonObject,
  map: JsonObject,
  result: ReadonlyMap<string, Json>,
  site: Site,
): string {
  const replacement = ownOf(keys, key) ?? null;
  if (replacement === null) {
    return key;
  }
  const text = textOf(replacement);
  const collides = text !== key && Object.hasOwn(map, text) ? 'input' : 'output';
  if (collides === 'input' || result.has(text)) {
    throw siteError(site, `key replacement ${text} collides with a key in the ${collides} map`);
  }
  return text;
}

function newValue(value: Json, values: JsonObject): Json {
  return typeof value === 'string' ? (ownOf(values, value) ?? value) : value;
}

function mapIn(value: Json, site: Site): JsonObject {
  if (value !== null && !isMap(value)) {
    throw formError(site, FORM);
  }
  return value ?? {};
}
