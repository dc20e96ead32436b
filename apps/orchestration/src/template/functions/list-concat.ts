import { isList, kindOf, type Json } from '../../json/json.js';
import { computed } from './computed.js';
import { comparable } from './same-value.js';
import { formError, siteError } from './site-error.js';
import type { Site } from './template-function.js';

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
  if (!isList(argument)) {
    throw formError(site, '[[<value 1>, <value 2>], [<value 3>, <value 4>]]');
  }
  return argument.flatMap((item) => {
    if (item !== null && !isList(item)) {
      throw siteError(
        site,
        `Incorrect arguments: Items to concat must be lists, and one is ${kindOf(item)}`,
      );
    }
    return item ?? [];
  });
}
