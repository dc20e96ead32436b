import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where load balancers of a zone are, in the words of their provider. */
@Entity('availability_zone_profiles')
export class AvailabilityZoneProfile {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text', { name: 'provider_name' })
  providerName: string;

  /** An object as JSON, as it was given. */
  @Column('text', { name: 'availability_zone_data' })
  availabilityZoneData: string;
}
