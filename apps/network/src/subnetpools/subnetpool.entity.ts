import { Column, Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import { AddressScope } from '../address-scopes/address-scope.entity.js';
import { sharedTargets } from '../rbac-policies/sharing.js';
import { ResourceColumns } from '../resource/resource.columns.js';

/** Addresses that subnets are cut from. */
@Entity('subnetpools')
@Index('subnetpools_project_idx', ['projectId', 'id'])
@Index('subnetpools_scope_idx', ['addressScopeId'])
@Index('subnetpools_default_key', ['ipVersion'], { unique: true, where: 'is_default' })
export class Subnetpool extends ResourceColumns {
  @Column('integer', { name: 'ip_version' })
  ipVersion: 4 | 6;

  /** The fewest CIDRs that are its addresses. */
  @Column('text', { array: true })
  prefixes: string[];

  @Column('integer', { name: 'default_prefixlen' })
  defaultPrefixlen: number;

  @Column('integer', { name: 'min_prefixlen' })
  minPrefixlen: number;

  @Column('integer', { name: 'max_prefixlen' })
  maxPrefixlen: number;

  /** What a project may have of it: addresses of IPv4, or /64 of IPv6. Null and 0 are no limit. */
  @Column('integer', { name: 'default_quota', nullable: true })
  defaultQuota: number | null;

  /** Whether every project may use it: whether there is a policy that says so. */
  @Column('boolean', { default: false })
  shared: boolean;

  /** Projects that it is shared with, and `*` for everyone. */
  @VirtualColumn('text', { query: sharedTargets })
  sharedWith: string[];

  /** Whether subnets of its version are from it that ask for the default. */
  @Column('boolean', { name: 'is_default', default: false })
  isDefault: boolean;

  @Column('uuid', { name: 'address_scope_id', nullable: true })
  @ForeignKey(() => AddressScope, { name: 'subnetpools_scope_fkey' })
  addressScopeId: string | null;
}
