import type { Query } from '@cumulet/common/resources/list-query';
import { HTTPBadRequestError } from '@cumulet/common/resources/resource.errors';
import { attributesOf, type Resource } from '@cumulet/common/resources/resource';
import { shortened } from '@cumulet/common/resources/value-type';
import type { QosRule } from './qos-policy.entity.js';

/** What asks for no rule of its own: a policy has so few rules of a type that there are no pages. */
const NOT_FILTERS = ['fields', 'limit', 'marker', 'page_reverse', 'sort_key', 'sort_dir'];

/** @throws HTTPBadRequestError naming what no rule can be filtered by */
export function matchingRules(
  resource: Resource,
  rules: readonly QosRule[],
  query: Query,
): QosRule[] {
  const attributes = new Map(attributesOf(resource));
  const asked = Object.entries(query).filter(([name]) => !NOT_FILTERS.includes(name));
  const unknown = asked.filter(([name]) => !attributes.has(name)).map(([name]) => shortened(name));
  if (unknown.length > 0)
    throw new HTTPBadRequestError(
      `[${unknown.map((name) => `'${name}'`).join(', ')}] is invalid attribute for filtering`,
    );
  const valueOf = (rule: QosRule, name: string): unknown => {
    const from = attributes.get(name)?.from as ((row: QosRule) => unknown) | undefined;
    return from ? from(rule) : rule.id;
  };
  return rules.filter((rule) =>
    asked.every(([name, values]) => [values].flat().includes(String(valueOf(rule, name)))),
  );
}
