/** What an RBAC policy is to its clients. Public source: Networking API reference, "RBAC Policies". */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { MAX_INTEGER } from '@cumulet/common/resources/resource';
import {
  integer,
  listOf,
  moment,
  Refusal,
  shortened,
  text,
  uuid,
  valueType,
  type ValueType,
} from '@cumulet/common/resources/value-type';
import { defineResource, neither } from '../resource/resource.js';
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

/** Neutron shows what a policy says, and nothing of when or by what name. */
function hidden<T>(type: ValueType<T>) {
  const options = { about: 'It has none.', ...neither } as const;
  return { ...shownOnly(type, options), isHidden: true as const };
}

export const rbacPolicyResource = defineResource({
  singular: 'rbac_policy',
  plural: 'rbac_policies',
  attributes: {
    name: hidden(text()),
    description: hidden(text()),
    createdAt: hidden(moment),
    updatedAt: hidden(moment),
    revisionNumber: hidden(integer(0, MAX_INTEGER)),
    tags: hidden(listOf(text())),
    objectType: attribute(objectType, {
      about:
        'What kind of thing it gives access to: `network`, `qos_policy`, `subnetpool`, `address_scope`, `address_group` or `security_group`.',
      required: true,
      given: 'at-creation',
    }),
    objectId: attribute(uuid, {
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
    targetTenant: attribute(target, {
      about: 'The project that gets access; `*` is every project.',
      required: true,
    }),
  },
});

export type RbacPolicyAttributes = typeof rbacPolicyResource.attributes;
export type NewRbacPolicy = NewBody<RbacPolicyAttributes>;
export type RbacPolicyChange = ChangeBody<RbacPolicyAttributes>;
