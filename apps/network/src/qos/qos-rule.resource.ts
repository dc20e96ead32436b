/** What a rule of a type is to its clients. Public source: as of `rule-types.ts`. */
import { shownOnly, type Attributes } from '@cumulet/common/resources/attribute';
import type { Resource } from '@cumulet/common/resources/resource';
import { uuid } from '@cumulet/common/resources/value-type';
import { defineBareResource } from '../resource/resource.js';
import type { QosRule } from './qos-policy.entity.js';
import { RULE_TYPES, type QosRuleType } from './rule-types.js';

/** @param prefix of its names where rules are found without their policy */
export function qosRuleResource(type: QosRuleType, prefix = ''): Resource {
  const settings = Object.entries<Attributes[string]>(RULE_TYPES[type].attributes);
  return defineBareResource({
    singular: `${prefix}${type}_rule`,
    plural: `${prefix}${type}_rules`,
    attributes: {
      id: shownOnly(uuid, { about: 'Its id.' }),
      ...Object.fromEntries(
        settings.map(([name, attribute]) => [name, { ...attribute, from: valueOf(name) }]),
      ),
    },
  });
}

function valueOf(name: string) {
  return (rule: QosRule): unknown => (name === 'direction' ? rule.direction : rule.settings[name]);
}
