import { parseExact } from '../../json/exact-json.js';
import { isList, isMap, kindOf, ownOf, type Json } from '../../json/json.js';
import { itemsOf } from './argument-form.js';
import { computed } from './computed.js';
import { siteError } from './site-error.js';
import { indexOf } from './value-path.js';

/** AWS CloudFormation User Guide, "Fn::Select": from a list, a map, or either as text in JSON. */
export const fnSelect = computed({
  description: 'Gives one item of a list or of a map.',
  check(argument, site) {
    if (argument.kind !== 'call' && itemsOf(argument)?.length !== 2) {
      throw siteError(site, `Arguments to "${site.name}" must be of the form [index, collection]`);
    }
  },
  compute(argument, site) {
    const [index = null, given = null] = isList(argument) ? argument : [];
    if (given === '' || given === null) {
      return '';
    }
    const collection = typeof given === 'string' ? parsed(given) : given;
    if (collection === null) {
      return '';
    }
    if (isMap(collection)) {
      if (typeof index !== 'string') {
        throw siteError(site, `Index to "${site.name}" must be a string`);
      }
      return ownOf(collection, index) ?? '';
    }
    if (!isList(collection)) {
      throw siteError(
        site,
        `"${site.name}" selects from a list or a map, not from ${kindOf(collection ?? given)}`,
      );
    }
    const number = indexOf(index);
    if (number === undefined) {
      throw siteError(site, `Index to "${site.name}" must be an integer`);
    }
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
