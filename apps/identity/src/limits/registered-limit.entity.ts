import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import type { RegionId } from '../regions/region.entity.js';
import type { ServiceId } from '../services/service.entity.js';

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
