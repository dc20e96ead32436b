import { Column, Entity, Index } from 'typeorm';
import { ResourceColumns } from '../resource/resource.columns.js';

/** Addresses that rules of security groups name together. */
@Entity('address_groups')
@Index('address_groups_project_idx', ['projectId', 'id'])
export class AddressGroup extends ResourceColumns {
  /** CIDRs of either version, none of them twice. */
  @Column('text', { array: true, default: () => `'{}'` })
  addresses: string[];
}
