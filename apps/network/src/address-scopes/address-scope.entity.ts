import { Column, Entity, Index } from 'typeorm';
import { ResourceColumns } from '../resource/resource.columns.js';

/** Addresses of one scope are routed among each other as they are, so none is in two of its pools. */
@Entity('address_scopes')
@Index('address_scopes_project_idx', ['projectId', 'id'])
@Index('address_scopes_shared_idx', ['id'], { where: 'shared' })
export class AddressScope extends ResourceColumns {
  @Column('integer', { name: 'ip_version' })
  ipVersion: 4 | 6;

  /** Whether every project may use it. */
  @Column('boolean', { default: false })
  shared: boolean;
}
