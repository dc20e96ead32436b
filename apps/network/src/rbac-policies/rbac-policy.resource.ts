/** Public source: Networking API reference, "RBAC Policies". */
import { Check, Entity, Index } from 'typeorm';
import { attribute, withheld } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { Refusal, shortened, text, uuid, valueType } from '@cumulet/common/resources/value-type';
import { defineResource, STANDARD } from '../resource/resource.js';

/** Use as by its owner, or for routers' gateways and floating IPs. */
export type RbacAction = 'access_as_shared' | 'access_as_external';

/** The types of objects that policies share, in the order in which a request locks several. */
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

/** As in Neutron, with or without dashes. */
const PROJECT = /^[\da-f]{8}(-?)[\da-f]{4}\1[\da-f]{4}\1[\da-f]{4}\1[\da-f]{12}$/i;

const target = valueType(String, (value) => {
  if (typeof value === 'string' && (value === EVERYONE || PROJECT.test(value))) return value;
  throw new Refusal(
    `'${shortened(value)}' is not a valid target project ID; expected a UUID or '*'`,
  );
});

/** In upper or lower case. */
const objectType = valueType(String, (value) => text().read(value).trim().toLowerCase());

export const rbacPolicyResource = defineResource({
  singular: 'rbac_policy',
  plural: 'rbac_policies',
  attributes: {
    // Neutron shows neither timestamps nor a name.
    name: withheld(STANDARD.name),
    description: withheld(STANDARD.description),
    createdAt: withheld(STANDARD.createdAt),
    updatedAt: withheld(STANDARD.updatedAt),
    revisionNumber: withheld(STANDARD.revisionNumber),
    tags: withheld(STANDARD.tags),
    objectType: attribute(objectType, {
      about:
        'The type of the shared object: `network`, `qos_policy`, `subnetpool`, `address_scope`, `address_group` or `security_group`.',
      required: true,
      given: 'at-creation',
      column: { default: 'network' },
    }),
    objectId: attribute(uuid, {
      about: 'The ID of the shared object.',
      required: true,
      given: 'at-creation',
    }),
    action: attribute(text(), {
      about: 'The permitted action: `access_as_shared`, or `access_as_external` for a network.',
      required: true,
      given: 'at-creation',
    }),
    targetTenant: attribute(target, {
      about: 'The ID of the project that gets access; `*` stands for every project.',
      required: true,
    }),
  },
});

export type RbacPolicyAttributes = typeof rbacPolicyResource.attributes;
export type NewRbacPolicy = NewBody<RbacPolicyAttributes>;
export type RbacPolicyChange = ChangeBody<RbacPolicyAttributes>;

/**
 * Shares an object with a project or with all of them. Objects are in several tables, so there is
 * no foreign key: whoever deletes an object deletes its policies.
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
