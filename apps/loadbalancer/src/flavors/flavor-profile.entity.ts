import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OctaviaTable } from '../resources/octavia-table.js';
import { ObjectInUseError } from '../resources/octavia.errors.js';

/** What load balancers of a flavor are, in the words of their provider. */
@Entity('flavor_profiles')
export class FlavorProfile {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text', { name: 'provider_name' })
  providerName: string;

  /** An object as JSON, as it was given. */
  @Column('text', { name: 'flavor_data' })
  flavorData: string;
}

export const flavorProfiles = new OctaviaTable(FlavorProfile, 'Flavor profile', {
  flavors_flavor_profile_fkey: ({ id = '' }) => new ObjectInUseError('Flavor profile', id),
});
