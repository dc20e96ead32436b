/** Public source: Networking API reference, "Quality of Service". */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { flag, json } from '@cumulet/common/resources/value-type';
import { defineResource, neither } from '../resource/resource.js';
import { sharedByPolicies } from '../rbac-policies/sharing.js';

const rulesOf = (policy: string): string => `
  SELECT COALESCE(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
           'id', id, 'qos_policy_id', policy_id, 'type', type, 'direction', direction))
           || settings ORDER BY created_at, id), '[]')
    FROM qos_rules WHERE policy_id = ${policy}.id`;

export const qosPolicyResource = defineResource({
  singular: 'policy',
  plural: 'policies',
  attributes: {
    shared: attribute(flag, {
      about:
        "Whether the QoS policy is shared with every project, or with the caller's project by an RBAC policy.",
      default: false,
      ...sharedByPolicies,
    }),
    isDefault: attribute(flag, {
      about: 'Whether it is the default policy of new networks of its project.',
      default: false,
    }),
    rules: shownOnly(json<Readonly<Record<string, unknown>>[]>([Object]), {
      about: 'The rules, the oldest first.',
      virtual: rulesOf,
      ...neither,
    }),
  },
});

export type QosPolicyAttributes = typeof qosPolicyResource.attributes;
export type NewQosPolicy = NewBody<QosPolicyAttributes>;
export type QosPolicyChange = ChangeBody<QosPolicyAttributes>;
