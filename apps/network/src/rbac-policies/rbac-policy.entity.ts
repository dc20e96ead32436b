import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Network } from '../networks/network.entity.js';
import { ResourceColumns } from '../resource/resource.columns.js';

/** To use it as its owner does, or as a way out of routers and for floating IPs. */
export const ACTIONS = ['access_as_shared', 'access_as_external'] as const;
export type RbacAction = (typeof ACTIONS)[number];

/** The target that stands for every project. */
export const EVERYONE = '*';

/** Gives a project, or all of them, access to what another has. */
@Entity('rbac_policies')
@Check('rbac_policies_type_check', `object_type = 'network'`)
@Index('rbac_policies_project_idx', ['projectId', 'id'])
@Index('rbac_policies_target_idx', ['targetTenant', 'objectId'])
@Index('rbac_policies_object_key', ['objectId', 'action', 'targetTenant'], { unique: true })
export class RbacPolicy extends ResourceColumns {
  @Column('text', { name: 'object_type', default: 'network' })
  objectType: 'network';

  @Column('uuid', { name: 'object_id' })
  @ForeignKey(() => Network, { name: 'rbac_policies_network_fkey', onDelete: 'CASCADE' })
  objectId: string;

  @Column('text')
  action: RbacAction;

  /** The id of a project, or everyone. */
  @Column('text', { name: 'target_tenant' })
  targetTenant: string;
}
