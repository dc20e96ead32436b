/** What a security group is to its clients. Public source: Networking API reference, "Security groups". */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { flag, valueType } from '@cumulet/common/resources/value-type';
import { defineResource, neither } from '../resource/resource.js';
import { sharedByPolicies } from '../rbac-policies/sharing.js';

export const securityGroupResource = defineResource({
  singular: 'security_group',
  plural: 'security_groups',
  attributes: {
    stateful: attribute(flag, {
      about:
        'Whether answers to what its rules let out are let in; by default as its project says.',
    }),
    securityGroupRules: shownOnly(
      valueType([Object], () => []),
      { about: 'Its rules.', property: 'rules', ...neither },
    ),
    shared: shownOnly(flag, {
      about: "Whether the caller's project may use it by a policy.",
      ...sharedByPolicies,
      sort: false,
    }),
  },
});

export type SecurityGroupAttributes = typeof securityGroupResource.attributes;
export type NewSecurityGroup = NewBody<SecurityGroupAttributes>;
export type SecurityGroupChange = ChangeBody<SecurityGroupAttributes>;
