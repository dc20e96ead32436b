import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import type { DomainId, Id, ProjectId } from '@cumulet/common/context/ids';
import { Domain } from '../domains/domain.entity.js';
import type { RegionId } from '../regions/region.resource.js';
import type { ServiceId } from '../services/service.resource.js';

export type RegisteredLimitId = Id<'RegisteredLimit'>;

/**
 * How much of a service's resource a project may have, where nothing else is said of it. It outlives
 * its service and its region: like Keystone, their removal leaves it for its own.
 */
@Entity('registered_limits')
@Index('registered_limits_region_key', ['serviceId', 'resourceName', 'regionId'], {
  unique: true,
  where: 'region_id IS NOT NULL',
})
@Index('registered_limits_key', ['serviceId', 'resourceName'], {
  unique: true,
  where: 'region_id IS NULL',
})
export class RegisteredLimit {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'registered_limits_pkey' })
  id: RegisteredLimitId;

  @Column('text', { name: 'service_id' })
  serviceId: ServiceId;

  @Column('text', { name: 'region_id', nullable: true })
  @Index('registered_limits_region_id_idx')
  regionId: RegionId | null;

  @Column('text', { name: 'resource_name' })
  resourceName: string;

  @Column('integer', { name: 'default_limit' })
  defaultLimit: number;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

export type LimitId = Id<'Limit'>;

/** SQL: a column of the registered limit of a limit. */
export function registered(column: string): string {
  return `(SELECT ${column} FROM registered_limits WHERE id = registered_limit_id)`;
}

/** SQL: the domain that a limit is for, or that its project is in. */
export const OWNER_DOMAIN =
  'COALESCE(domain_id, (SELECT domain_id FROM projects WHERE id = project_id))';

/** Overrides a registered limit for one project or one domain. */
@Entity('limits')
@Check('limits_owner_check', 'num_nonnulls(project_id, domain_id) = 1')
@Index('limits_project_key', ['projectId', 'registeredLimitId'], {
  unique: true,
  where: 'project_id IS NOT NULL',
})
@Index('limits_domain_key', ['domainId', 'registeredLimitId'], {
  unique: true,
  where: 'domain_id IS NOT NULL',
})
export class Limit {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'limits_pkey' })
  id: LimitId;

  @Column('text', { name: 'registered_limit_id' })
  @ForeignKey(() => RegisteredLimit, { name: 'limits_registered_limit_id_fkey' })
  @Index('limits_registered_limit_id_idx')
  registeredLimitId: RegisteredLimitId;

  /** Its table is named, and not its class: projects are shown with their limits, and so stand above these. */
  @Column('text', { name: 'project_id', nullable: true })
  @ForeignKey('projects', { name: 'limits_project_id_fkey', onDelete: 'CASCADE' })
  projectId: ProjectId | null;

  @Column('text', { name: 'domain_id', nullable: true })
  @ForeignKey(() => Domain, { name: 'limits_domain_id_fkey', onDelete: 'CASCADE' })
  domainId: DomainId | null;

  @Column('integer', { name: 'resource_limit' })
  resourceLimit: number;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @VirtualColumn('text', { query: () => registered('service_id') })
  serviceId: ServiceId;

  @VirtualColumn('text', { query: () => registered('region_id') })
  regionId: RegionId | null;

  @VirtualColumn('text', { query: () => registered('resource_name') })
  resourceName: string;

  /** The domain that it is for, or that its project is in. */
  @VirtualColumn('text', { query: () => OWNER_DOMAIN })
  ownerDomainId: DomainId;
}
