import { stringifyExact } from '../../json/exact-json.js';
import { isList, isMap, kindOf, ownOf, type Json, type JsonObject } from '../../json/json.js';
import { textOf } from '../../json/texts.js';
import type { Expression } from '../expression.js';
import {
  computed,
  formError,
  itemsOf,
  siteError,
  type Site,
  type TemplateFunction,
} from './template-function.js';

/** Heat template guide, "map_merge": later maps take precedence. */
export const mapMerge = computed({
  description: 'Makes one map of several.',
  compute(argument, site) {
    if (!isList(argument)) throw formError(site, '[{"key1": "val1"}, {"key2": "val2"}]');
    const entries = argument.flatMap((item) => {
      if (item !== null && !isMap(item))
        throw siteError(
          site,
          `Incorrect arguments: Items to merge must be maps, and one is ${kindOf(item)}`,
        );
      return Object.entries(item ?? {});
    });
    return Object.fromEntries(entries);
  },
});

const FORM = '[{"key1": "val1"}, {"keys": {"key1": "key2"}, "values": {"val1": "val2"}}]';

/** Heat template guide, "map_replace". */
export const mapReplace = computed({
  description: 'Puts other keys and values into a map.',
  check(argument, site) {
    if (argument.kind !== 'call' && itemsOf(argument)?.length !== 2) throw formError(site, FORM);
  },
  compute(argument, site) {
    const [first = null, second = null] = isList(argument) ? argument : [];
    const map = mapIn(first, site);
    const replacements = mapIn(second, site);
    if (Object.keys(replacements).some((key) => key !== 'keys' && key !== 'values'))
      throw formError(site, FORM);
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
  if (replacement === null) return key;
  const text = textOf(replacement);
  const collides = text !== key && Object.hasOwn(map, text) ? 'input' : 'output';
  if (collides === 'input' || result.has(text))
    throw siteError(site, `key replacement ${text} collides with a key in the ${collides} map`);
  return text;
}

function newValue(value: Json, values: JsonObject): Json {
  return typeof value === 'string' ? (ownOf(values, value) ?? value) : value;
}

function mapIn(value: Json, site: Site): JsonObject {
  if (value !== null && !isMap(value)) throw formError(site, FORM);
  return value ?? {};
}

/** AWS CloudFormation User Guide, "Fn::FindInMap". A waiting call has the mapping, not its name. */
export const fnFindInMap: TemplateFunction = {
  description: "Gives a value of the template's mappings.",
  read(snippet, site, reader) {
    const argument = reader.reduce(snippet, `${site.path}.${site.name}`);
    const [name, ...keys] = itemsOf(argument) ?? [];
    if (name === undefined || keys.length !== 2)
      throw formError(site, '["mapping", "key", "value"]');
    const mapping =
      name.kind === 'value' && typeof name.value === 'string'
        ? ownOf(reader.scope.mappings, name.value)
        : undefined;
    if (mapping === undefined) {
      const shown = name.kind === 'value' ? stringifyExact(name.value) : 'whose name is not known';
      throw siteError(site, `The template has no mapping ${shown}`);
    }
    const items: readonly Expression[] = [{ kind: 'value', value: mapping }, ...keys];
    const values = items.flatMap((item) => (item.kind === 'value' ? [item.value] : []));
    if (values.length < items.length) {
      reader.budget.spend(mapping);
      return { kind: 'call', ...site, argument: { kind: 'list', items } };
    }
    return { kind: 'value', value: reader.budget.spend(found(values, site)) };
  },
  evaluate: (argument, site) => found(isList(argument) ? argument : [], site),
};

function found([mapping = null, ...keys]: readonly Json[], site: Site): Json {
  let value = mapping;
  for (const key of keys) {
    const next = isMap(value) && typeof key === 'string' ? ownOf(value, key) : undefined;
    if (next === undefined) throw siteError(site, `The mapping has no key ${stringifyExact(key)}`);
    value = next;
  }
  return value;
}

/** `Fn::MemberListToMap`: members with the same number are a key and its value. */
export const fnMemberListToMap = computed({
  description: 'Makes a map of a list with numbered names and values.',
  check(argument, site) {
    if (argument.kind !== 'call' && itemsOf(argument)?.length !== 3)
      throw formError(site, '["Name", "Value", [".member.0.Name=key", ".member.0.Value=door"]]');
  },
  compute(argument, site) {
    const [name = null, value = null, list = null] = isList(argument) ? argument : [];
    if (typeof name !== 'string' || typeof value !== 'string') {
      const which = typeof name === 'string' ? 'Value' : 'Key';
      throw siteError(site, `${site.name} ${which} Name must be a string`);
    }
    if (!isList(list)) throw siteError(site, 'Member list must be a list');
    const members = new Map<number, Map<string, string>>();
    for (const item of list) {
      if (typeof item !== 'string' || !item.includes('='))
        throw siteError(site, 'Member list items must be strings: .member.0.Name=key');
      const [, number, key = '', text = ''] =
        /^\.member\.([0-9]+)\.([^=]*)=(.*)$/su.exec(item) ?? [];
      if (number !== undefined) {
        const member = members.get(Number(number)) ?? new Map<string, string>();
        members.set(Number(number), member.set(key, text));
      }
    }
    const entries = [...members]
      .sort(([one], [other]) => one - other)
      .flatMap(([, member]) => pairOf(member.get(name), member.get(value)));
    return Object.fromEntries(entries);
  },
});

function pairOf(key: string | undefined, text: string | undefined): [string, string][] {
  return key === undefined || text === undefined ? [] : [[key, text]];
}
