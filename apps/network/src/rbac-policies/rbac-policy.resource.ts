/** What an RBAC policy is to its clients. Public source: Networking API reference, "RBAC Policies". */
import { Check, Entity, Index } from 'typeorm';
import { attribute, withheld } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { Refusal, shortened, text, uuid, valueType } from '@cumulet/common/resources/value-type';
import { defineResource, STANDARD } from '../resource/resource.js';

/** To use it as its owner does, or as a way out of routers and for floating IPs. */
export type RbacAction = 'access_as_shared' | 'access_as_external';

/**
 * The kinds of things that policies give access to, in the order in which a request locks several: as
 * whoever uses them does.
 */
export const RBAC_TYPES = [
  'network',
  'qos_policy',
  'subnetpool',
  'address_scope',
  'address_group',
  'security_group',
] as const;
export type RbacType = (typeof RBAC_TYPES)[number];

/** The target that stands for every project. */
export const EVERYONE = '*';

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
    // Neutron shows what a policy says, and nothing of when or by what name.
    name: withheld(STANDARD.name),
    description: withheld(STANDARD.description),
    createdAt: withheld(STANDARD.createdAt),
    updatedAt: withheld(STANDARD.updatedAt),
    revisionNumber: withheld(STANDARD.revisionNumber),
    tags: withheld(STANDARD.tags),
    objectType: attribute(objectType, {
      about:
        'What kind of thing it gives access to: `network`, `qos_policy`, `subnetpool`, `address_scope`, `address_group` or `security_group`.',
      required: true,
      given: 'at-creation',
      column: { default: 'network' },
    }),
    objectId: attribute(uuid, {
      about: 'The ID of what it gives access to.',
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

/**
 * Gives a project, or all of them, access to what another has. What it is about is one of several
 * tables, so no foreign key holds it: whoever removes the object removes its policies.
 */
@Entity('rbac_policies')
@Check(
  'rbac_policies_type_check',
  `object_type IN ('network', 'qos_policy', 'subnetpool', 'address_scope', 'address_group', 'security_group')`,
)
@Index('rbac_policies_project_idx', ['projectId', 'id'])
@Index('rbac_policies_target_idx', ['targetTenant', 'objectId'])
@Index('rbac_policies_object_key', ['objectId', 'action', 'targetTenant'], { unique: true })
export class RbacPolicy extends rowOf(rbacPolicyResource.attributes) {
  declare objectType: RbacType;
  declare action: RbacAction;
}
