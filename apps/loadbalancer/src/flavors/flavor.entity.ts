import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { FlavorProfile } from '../flavor-profiles/flavor-profile.entity.js';

/** A kind of load balancer that administrators offer. */
@Entity('flavors')
@Unique('flavors_name_key', ['name'])
@Index('flavors_flavor_profile_idx', ['flavorProfileId'])
export class Flavor {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** Whether new load balancers may have it. */
  @Column('boolean', { default: true })
  enabled: boolean;

  @ForeignKey(() => FlavorProfile, { name: 'flavors_flavor_profile_fkey' })
  @Column('uuid', { name: 'flavor_profile_id' })
  flavorProfileId: string;
}
