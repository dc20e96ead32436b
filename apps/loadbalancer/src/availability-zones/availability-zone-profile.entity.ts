import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OctaviaTable } from '../resources/octavia-table.js';
import { ObjectInUseError } from '../resources/octavia.errors.js';

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

export const availabilityZoneProfiles = new OctaviaTable(
  AvailabilityZoneProfile,
  'Availability Zone Profile',
  {
    availability_zones_profile_fkey: ({ id = '' }) =>
      new ObjectInUseError('Availability Zone Profile', id),
  },
);
