/** What an RBAC policy is to its clients. Public source: Networking API reference, "RBAC Policies". */
import { attribute, type ChangeBody, type NewBody } from '../resource/attribute.js';
import { defineResource } from '../resource/resource.js';
import { Refusal, shortened, text, uuid, valueType } from '../resource/value-type.js';
import { EVERYONE } from './rbac-policy.entity.js';

/** As in Neutron, with dashes or without. */
const PROJECT = /^[\da-f]{8}(-?)[\da-f]{4}\1[\da-f]{4}\1[\da-f]{4}\1[\da-f]{12}$/i;

const target = valueType(String, (value) => {
  if (typeof value === 'string' && (value === EVERYONE || PROJECT.test(value))) return value;
  throw new Refusal(
    `'${shortened(value)}' is not a valid target project ID; expected a UUID or '*'`,
  );
});

/** In any case. */
const objectType = valueType(String, (value) => text().read(value).trim().toLowerCase());

export const rbacPolicyResource = defineResource({
  singular: 'rbac_policy',
  plural: 'rbac_policies',
  attributes: {
    object_type: attribute(objectType, {
      about:
        'What kind of thing it gives access to: `network`, `qos_policy`, `subnetpool`, `address_scope`, `address_group` or `security_group`.',
      required: true,
      given: 'at-creation',
    }),
    object_id: attribute(uuid, {
      about: 'What it gives access to.',
      required: true,
      given: 'at-creation',
    }),
    action: attribute(text(), {
      about:
        'What may be done with it: `access_as_shared`, or `access_as_external` with a network.',
      required: true,
      given: 'at-creation',
    }),
    target_tenant: attribute(target, {
      about: 'The project that gets access; `*` is every project.',
      required: true,
    }),
  },
});

export type RbacPolicyAttributes = typeof rbacPolicyResource.attributes;
export type NewRbacPolicy = NewBody<RbacPolicyAttributes>;
export type RbacPolicyChange = ChangeBody<RbacPolicyAttributes>;
