import { Column, Entity, PrimaryColumn } from 'typeorm';

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
