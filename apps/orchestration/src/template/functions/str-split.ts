import { isList, isMap } from '../../json/json.js';
import { computed } from './computed.js';
import { formError, siteError } from './site-error.js';
import { indexOf } from './value-path.js';

const FORM = '[",", "apples,pears", <index>]';

/** Heat template guide, "str_split". */
export const strSplit = computed({
  description: 'Splits a text at a delimiter, and gives all its parts or one of them.',
  check(argument, site) {
    const value = argument.kind === 'value' ? argument.value : null;
    if (argument.kind === 'map' || typeof value === 'string' || isMap(value)) {
      throw formError(site, FORM);
    }
  },
  compute(argument, site, budget) {
    const [delimiter, text, index] = isList(argument) ? argument : [];
    if (text === null) {
      return null;
    }
    if (typeof delimiter !== 'string' || delimiter === '' || typeof text !== 'string') {
      throw formError(site, FORM);
    }
    budget.check(text.length / delimiter.length);
    const parts = text.split(delimiter);
    if (index === undefined) {
      return parts;
    }
    const number = indexOf(index);
    if (number === undefined) {
      throw siteError(site, `Incorrect index to "${site.name}" should be: ${FORM}`);
    }
    const part = parts.at(number);
    if (part === undefined) {
      throw siteError(
        site,
        `Incorrect index to "${site.name}" should be between 0 and ${parts.length - 1}`,
      );
    }
    return part;
  },
});
