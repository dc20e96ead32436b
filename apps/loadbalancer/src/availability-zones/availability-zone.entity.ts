import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AvailabilityZoneProfile } from '../availability-zone-profiles/availability-zone-profile.entity.js';

/** A place that administrators offer for load balancers. Its name is its id. */
@Entity('availability_zones')
@Index('availability_zones_profile_idx', ['availabilityZoneProfileId'])
export class AvailabilityZone {
  @PrimaryColumn('text', { name: 'name' })
  id: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** Whether new load balancers may be in it. */
  @Column('boolean', { default: true })
  enabled: boolean;

  @ForeignKey(() => AvailabilityZoneProfile, { name: 'availability_zones_profile_fkey' })
  @Column('uuid', { name: 'availability_zone_profile_id' })
  availabilityZoneProfileId: string;
}
