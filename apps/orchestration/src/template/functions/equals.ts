import { isList } from '../../json/json.js';
import { itemsOf } from './argument-form.js';
import { computed } from './computed.js';
import { isSameValue } from './same-value.js';
import { siteError } from './site-error.js';

/** Heat template guide, "equals"; `Fn::Equals`. */
export const equals = computed({
  description: 'Tells whether two values are equal.',
  check(argument, site) {
    if (itemsOf(argument)?.length !== 2) {
      throw siteError(site, `Arguments to "${site.name}" must be of the form: [value_1, value_2]`);
    }
  },
  compute(argument) {
    const [one = null, other = null] = isList(argument) ? argument : [];
    return isSameValue(one, other);
  },
});
