import { isEmpty, isList, kindOf } from '../../json/json.js';
import { itemsOf } from './argument-form.js';
import { computed } from './computed.js';
import { comparable } from './same-value.js';
import { siteError } from './site-error.js';

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
    if (isEmpty(list)) {
      return list;
    }
    if (!isList(list)) {
      throw siteError(site, `"${site.name}" only works with lists, not with ${kindOf(list)}`);
    }
    if (isEmpty(values)) {
      return list;
    }
    if (!isList(values)) {
      throw siteError(site, `"${site.name}" filters a list of values, not ${kindOf(values)}`);
    }
    const left = new Set(values.map(comparable));
    return list.filter((item) => !left.has(comparable(item)));
  },
});
