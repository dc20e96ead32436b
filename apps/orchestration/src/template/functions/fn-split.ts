import { isList, kindOf } from '../../json/json.js';
import { itemsOf } from './argument-form.js';
import { computed } from './computed.js';
import { formError, siteError } from './site-error.js';

/** AWS CloudFormation User Guide, "Fn::Split". */
export const fnSplit = computed({
  description: 'Splits a text at a delimiter.',
  check(argument, site) {
    if (argument.kind !== 'call' && itemsOf(argument)?.length !== 2) {
      throw formError(site, '[",", "str1,str2"]');
    }
  },
  compute(argument, site, budget) {
    const [delimiter = null, text = null] = isList(argument) ? argument : [];
    if (typeof delimiter !== 'string' || delimiter === '') {
      throw siteError(site, `Delimiter for ${site.name} must be string`);
    }
    if (typeof text !== 'string') {
      throw siteError(site, `String to split must be string; got ${kindOf(text)}`);
    }
    budget.check(text.length / delimiter.length);
    return text.split(delimiter);
  },
});
