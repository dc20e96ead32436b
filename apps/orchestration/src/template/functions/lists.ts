import { parseExact } from '../../json/exact-json.js';
import { isEmpty, isList, isMap, kindOf, ownOf, type Json } from '../../json/json.js';
import { comparable, isSameValue } from '../../json/same-json.js';
import { jsonInText } from '../../json/texts.js';
import type { ResultBudget } from './result-budget.js';
import { computed, formError, itemsOf, siteError, type Site } from './template-function.js';
import { indexOf } from './value-path.js';

const JOIN_FORM = '[" ", ["str1", "str2"]]';

/** Heat template guide, "list_join", before 2015-10-15, and `Fn::Join`: a single list of texts. */
export const listJoin = computed({
  description: 'Joins the texts of a list.',
  check(argument, site) {
    if (argument.kind !== 'call' && itemsOf(argument)?.length !== 2)
      throw formError(site, JOIN_FORM);
  },
  compute(argument, site, budget) {
    const [delimiter = null, list = null] = isList(argument) ? argument : [];
    const texts = listOf(list, site).map((item) => plainText(item, site));
    return joined(delimiter, texts, site, budget);
  },
});

/** Heat template guide, "list_join": one or more lists; lists and maps in them become JSON. */
export const listJoinMany = computed({
  description: 'Joins the texts of one list or more, and what else is in them as JSON.',
  check(argument, site) {
    if (argument.kind !== 'call' && (itemsOf(argument)?.length ?? 0) < 2)
      throw formError(site, `${JOIN_FORM.slice(0, -1)} ...]`);
  },
  compute(argument, site, budget) {
    const [delimiter = null, ...lists] = isList(argument) ? argument : [];
    const items = lists.flatMap((list) => (isEmpty(list) ? [] : listOf(list, site)));
    const texts = items.map((item) =>
      isList(item) || isMap(item) ? jsonInText(item) : plainText(item, site),
    );
    return joined(delimiter, texts, site, budget);
  },
});

function listOf(value: Json, site: Site): readonly Json[] {
  if (value === null) return [];
  if (!isList(value))
    throw siteError(site, `"${site.name}" must operate on a list, not on ${kindOf(value)}`);
  return value;
}

function plainText(item: Json, site: Site): string {
  if (item === null) return '';
  if (typeof item !== 'string')
    throw siteError(site, `Items to join must be strings, not ${kindOf(item)}`);
  return item;
}

function joined(
  delimiter: Json,
  texts: readonly string[],
  site: Site,
  budget: ResultBudget,
): string {
  if (typeof delimiter !== 'string')
    throw siteError(site, `"${site.name}" delimiter must be a string`);
  const length = texts.reduce((sum, text) => sum + text.length + delimiter.length, 0);
  budget.check(0, length);
  return texts.join(delimiter);
}

/** Heat template guide, "list_concat". */
export const listConcat = computed({
  description: 'Makes one list of several.',
  compute: concatenated,
});

/** Heat template guide, "list_concat_unique". */
export const listConcatUnique = computed({
  description: 'Makes one list of several, with each value once.',
  compute(argument, site) {
    const seen = new Set<string>();
    return concatenated(argument, site).filter((item) => {
      const key = comparable(item);
      return !seen.has(key) && seen.add(key);
    });
  },
});

function concatenated(argument: Json, site: Site): readonly Json[] {
  if (!isList(argument)) throw formError(site, '[[<value 1>, <value 2>], [<value 3>, <value 4>]]');
  return argument.flatMap((item) => {
    if (item !== null && !isList(item))
      throw siteError(
        site,
        `Incorrect arguments: Items to concat must be lists, and one is ${kindOf(item)}`,
      );
    return item ?? [];
  });
}

const SPLIT_FORM = '[",", "apples,pears", <index>]';

/** Heat template guide, "str_split". */
export const strSplit = computed({
  description: 'Splits a text at a delimiter, and gives all its parts or one of them.',
  check(argument, site) {
    const value = argument.kind === 'value' ? argument.value : null;
    if (argument.kind === 'map' || typeof value === 'string' || isMap(value))
      throw formError(site, SPLIT_FORM);
  },
  compute(argument, site, budget) {
    const [delimiter, text, index] = isList(argument) ? argument : [];
    if (text === null) return null;
    if (typeof delimiter !== 'string' || delimiter === '' || typeof text !== 'string')
      throw formError(site, SPLIT_FORM);
    budget.check(text.length / delimiter.length);
    const parts = text.split(delimiter);
    if (index === undefined) return parts;
    const number = indexOf(index);
    if (number === undefined)
      throw siteError(site, `Incorrect index to "${site.name}" should be: ${SPLIT_FORM}`);
    const part = parts.at(number);
    if (part === undefined)
      throw siteError(
        site,
        `Incorrect index to "${site.name}" should be between 0 and ${parts.length - 1}`,
      );
    return part;
  },
});

/** Heat template guide, "contains": in a list, or in a text. */
export const contains = computed({
  description: 'Tells whether a list has a value.',
  check(argument, site) {
    if (argument.kind !== 'call' && itemsOf(argument)?.length !== 2)
      throw siteError(
        site,
        `Arguments to "${site.name}" must be of the form: [value1, [value1, value2]]`,
      );
  },
  compute(argument, site) {
    const [value = null, list = null] = isList(argument) ? argument : [];
    if (isList(list)) return list.some((item) => isSameValue(item, value));
    if (typeof list === 'string' && typeof value === 'string') return list.includes(value);
    throw siteError(site, `Second argument to "${site.name}" should be a sequence.`);
  },
});

/** Heat template guide, "filter". */
export const filter = computed({
  description: 'Gives a list without some values.',
  check(argument, site) {
    const count = itemsOf(argument)?.length;
    if (argument.kind !== 'call' && count !== 2) {
      const got = count === undefined ? 'no list' : `${count} arguments`;
      throw siteError(
        site,
        `"${site.name}" expected 2 arguments of the form [values, sequence] but got ${got} instead`,
      );
    }
  },
  compute(argument, site) {
    const [values = null, list = null] = isList(argument) ? argument : [];
    if (isEmpty(list)) return list;
    if (!isList(list))
      throw siteError(site, `"${site.name}" only works with lists, not with ${kindOf(list)}`);
    if (isEmpty(values)) return list;
    if (!isList(values))
      throw siteError(site, `"${site.name}" filters a list of values, not ${kindOf(values)}`);
    const left = new Set(values.map(comparable));
    return list.filter((item) => !left.has(comparable(item)));
  },
});

/** AWS CloudFormation User Guide, "Fn::Select": from a list, a map, or JSON text of either. */
export const fnSelect = computed({
  description: 'Gives one item of a list or of a map.',
  check(argument, site) {
    if (argument.kind !== 'call' && itemsOf(argument)?.length !== 2)
      throw siteError(site, `Arguments to "${site.name}" must be of the form [index, collection]`);
  },
  compute(argument, site) {
    const [index = null, given = null] = isList(argument) ? argument : [];
    if (given === '' || given === null) return '';
    const collection = typeof given === 'string' ? parsed(given) : given;
    if (collection === null) return '';
    if (isMap(collection)) {
      if (typeof index !== 'string')
        throw siteError(site, `Index to "${site.name}" must be a string`);
      return ownOf(collection, index) ?? '';
    }
    if (!isList(collection))
      throw siteError(
        site,
        `"${site.name}" selects from a list or a map, not from ${kindOf(collection ?? given)}`,
      );
    const number = indexOf(index);
    if (number === undefined) throw siteError(site, `Index to "${site.name}" must be an integer`);
    return collection.at(number) ?? '';
  },
});

function parsed(text: string): Json | undefined {
  try {
    return parseExact(text) as Json;
  } catch {
    return undefined;
  }
}

/** AWS CloudFormation User Guide, "Fn::Split". */
export const fnSplit = computed({
  description: 'Splits a text at a delimiter.',
  check(argument, site) {
    if (argument.kind !== 'call' && itemsOf(argument)?.length !== 2)
      throw formError(site, '[",", "str1,str2"]');
  },
  compute(argument, site, budget) {
    const [delimiter = null, text = null] = isList(argument) ? argument : [];
    if (typeof delimiter !== 'string' || delimiter === '')
      throw siteError(site, `Delimiter for ${site.name} must be string`);
    if (typeof text !== 'string')
      throw siteError(site, `String to split must be string; got ${kindOf(text)}`);
    budget.check(text.length / delimiter.length);
    return text.split(delimiter);
  },
});
