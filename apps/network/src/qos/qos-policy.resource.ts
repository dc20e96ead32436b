/** What a QoS policy is to its clients. Public source: Networking API reference, "Quality of Service". */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { flag, valueType } from '@cumulet/common/resources/value-type';
import { defineResource, neither } from '../resource/resource.js';
import { sharedByPolicies } from '../rbac-policies/sharing.js';

export const qosPolicyResource = defineResource({
  singular: 'policy',
  plural: 'policies',
  attributes: {
    shared: attribute(flag, {
      about: "Whether every project may use it, or at least the caller's by a policy.",
      default: false,
      ...sharedByPolicies,
    }),
    isDefault: attribute(flag, {
      about: 'Whether new networks of its project have it that name none.',
      default: false,
    }),
    rules: shownOnly(
      valueType([Object], () => []),
      { about: 'What it says of traffic.', ...neither },
    ),
  },
});

export type QosPolicyAttributes = typeof qosPolicyResource.attributes;
export type NewQosPolicy = NewBody<QosPolicyAttributes>;
export type QosPolicyChange = ChangeBody<QosPolicyAttributes>;
