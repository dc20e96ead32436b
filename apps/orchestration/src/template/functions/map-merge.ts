import { isList, isMap, kindOf } from '../../json/json.js';
import { computed } from './computed.js';
import { formError, siteError } from './site-error.js';

/** Heat template guide, "map_merge": what comes later goes before. */
export const mapMerge = computed({
  description: 'Makes one map of several.',
  compute(argument, site) {
    if (!isList(argument)) {
      throw formError(site, '[{"key1": "val1"}, {"key2": "val2"}]');
    }
    const entries = argument.flatMap((item) => {
      if (item !== null && !isMap(item)) {
        throw siteError(
          site,
          `Incorrect arguments: Items to merge must be maps, and one is ${kindOf(item)}`,
        );
      }
      return Object.entries(item ?? {});
    });
    return Object.fromEntries(entries);
  },
});
