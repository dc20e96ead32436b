import { isEmpty, isList, isMap, kindOf, type Json } from '../../json/json.js';
import { itemsOf } from './argument-form.js';
import { computed } from './computed.js';
import { jsonInText } from './json-in-text.js';
import type { ResultBudget } from './result-budget.js';
import { formError, siteError } from './site-error.js';
import type { Site } from './template-function.js';

const FORM = '[" ", ["str1", "str2"]]';

/** Heat template guide, "list_join", before 2015-10-15, and `Fn::Join`: one list, of texts. */
export const listJoin = computed({
  description: 'Joins the texts of a list.',
  check(argument, site) {
    if (argument.kind !== 'call' && itemsOf(argument)?.length !== 2) {
      throw formError(site, FORM);
    }
  },
  compute(argument, site, budget) {
    const [delimiter = null, list = null] = isList(argument) ? argument : [];
    const texts = listOf(list, site).map((item) => plainText(item, site));
    return joined(delimiter, texts, site, budget);
  },
});

/** Heat template guide, "list_join": one list or more; lists and maps in them go in as JSON. */
export const listJoinMany = computed({
  description: 'Joins the texts of one list or more, and what else is in them as JSON.',
  check(argument, site) {
    if (argument.kind !== 'call' && (itemsOf(argument)?.length ?? 0) < 2) {
      throw formError(site, `${FORM.slice(0, -1)} ...]`);
    }
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
  if (value === null) {
    return [];
  }
  if (!isList(value)) {
    throw siteError(site, `"${site.name}" must operate on a list, not on ${kindOf(value)}`);
  }
  return value;
}

function plainText(item: Json, site: Site): string {
  if (item === null) {
    return '';
  }
  if (typeof item !== 'string') {
    throw siteError(site, `Items to join must be strings, not ${kindOf(item)}`);
  }
  return item;
}

function joined(
  delimiter: Json,
  texts: readonly string[],
  site: Site,
  budget: ResultBudget,
): string {
  if (typeof delimiter !== 'string') {
    throw siteError(site, `"${site.name}" delimiter must be a string`);
  }
  const length = texts.reduce((sum, text) => sum + text.length + delimiter.length, 0);
  budget.check(0, length);
  return texts.join(delimiter);
}
