import { isList } from '../../json/json.js';
import { itemsOf } from './argument-form.js';
import { computed } from './computed.js';
import { isSameValue } from './same-value.js';
import { siteError } from './site-error.js';

/** Heat template guide, "contains": of a list, or of a text that has another within it. */
export const contains = computed({
  description: 'Tells whether a list has a value.',
  check(argument, site) {
    if (argument.kind !== 'call' && itemsOf(argument)?.length !== 2) {
      throw siteError(
        site,
        `Arguments to "${site.name}" must be of the form: [value1, [value1, value2]]`,
      );
    }
  },
  compute(argument, site) {
    const [value = null, list = null] = isList(argument) ? argument : [];
    if (isList(list)) {
      return list.some((item) => isSameValue(item, value));
    }
    if (typeof list === 'string' && typeof value === 'string') {
      return list.includes(value);
    }
    throw siteError(site, `Second argument to "${site.name}" should be a sequence.`);
  },
});
