import { stringifyExact } from '../../json/exact-json.js';
import type { Expression } from '../expression.js';
import { isList, isMap, ownOf, type Json } from '../../json/json.js';
import { itemsOf } from './argument-form.js';
import { formError, siteError } from './site-error.js';
import type { Site, TemplateFunction } from './template-function.js';

/**
 * AWS CloudFormation User Guide, "Fn::FindInMap". A call whose keys wait for a resource keeps the
 * mapping in the place of its name.
 */
export const fnFindInMap: TemplateFunction = {
  description: "Gives a value of the template's mappings.",
  read(snippet, site, reader) {
    const argument = reader.reduce(snippet, `${site.path}.${site.name}`);
    const [name, ...keys] = itemsOf(argument) ?? [];
    if (name === undefined || keys.length !== 2) {
      throw formError(site, '["mapping", "key", "value"]');
    }
    const mapping =
      name.kind === 'value' && typeof name.value === 'string'
        ? ownOf(reader.scope.mappings, name.value)
        : undefined;
    if (mapping === undefined) {
      const shown = name.kind === 'value' ? stringifyExact(name.value) : 'whose name is not known';
      throw siteError(site, `The template has no mapping ${shown}`);
    }
    const items: readonly Expression[] = [{ kind: 'value', value: mapping }, ...keys];
    const values = items.flatMap((item) => (item.kind === 'value' ? [item.value] : []));
    if (values.length < items.length) {
      reader.budget.spend(mapping);
      return { kind: 'call', ...site, argument: { kind: 'list', items } };
    }
    return { kind: 'value', value: reader.budget.spend(found(values, site)) };
  },
  evaluate: (argument, site) => found(isList(argument) ? argument : [], site),
};

function found([mapping = null, ...keys]: readonly Json[], site: Site): Json {
  let value = mapping;
  for (const key of keys) {
    const next = isMap(value) && typeof key === 'string' ? ownOf(value, key) : undefined;
    if (next === undefined) {
      throw siteError(site, `The mapping has no key ${stringifyExact(key)}`);
    }
    value = next;
  }
  return value;
}
