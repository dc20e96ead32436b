import { Check, Column, Entity, Index } from 'typeorm';
import { ResourceColumns } from '../resource/resource.columns.js';

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
export class RbacPolicy extends ResourceColumns {
  @Column('text', { name: 'object_type', default: 'network' })
  objectType: RbacType;

  @Column('uuid', { name: 'object_id' })
  objectId: string;

  @Column('text')
  action: RbacAction;

  /** The id of a project, or everyone. */
  @Column('text', { name: 'target_tenant' })
  targetTenant: string;
}
