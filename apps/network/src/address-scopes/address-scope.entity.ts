import { Column, Entity, Index, VirtualColumn } from 'typeorm';
import { sharedTargets } from '../rbac-policies/sharing.js';
import { ResourceColumns } from '../resource/resource.columns.js';

/** Addresses of one scope are routed among each other as they are, so none is in two of its pools. */
@Entity('address_scopes')
@Index('address_scopes_project_idx', ['projectId', 'id'])
export class AddressScope extends ResourceColumns {
  @Column('integer', { name: 'ip_version' })
  ipVersion: 4 | 6;

  /** Whether every project may use it: whether there is a policy that says so. */
  @Column('boolean', { default: false })
  shared: boolean;

  /** Projects that it is shared with, and `*` for everyone. */
  @VirtualColumn('text', { query: sharedTargets })
  sharedWith: string[];
}
