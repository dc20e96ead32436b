/** Public source: octavia, `api/v2/types/flavor_profile.py`. */
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { text } from '@cumulet/common/resources/value-type';
import { Entity } from 'typeorm';
import { OctaviaTable } from '../resources/octavia-table.js';
import { ObjectInUseError } from '../resources/octavia.errors.js';
import { defineBareResource, ID } from '../resources/resource.js';

const FLAVOR_PROFILE = {
  ...ID,
  name: attribute(text(), { about: 'The name.', required: true }),
  providerName: attribute(text(), {
    about: 'The provider that reads the profile.',
    required: true,
  }),
  flavorData: attribute(text(4096), {
    about: "An object of the provider's flavor capabilities, as JSON.",
    required: true,
  }),
};

/** What load balancers of a flavor are, in the words of their provider. */
@Entity('flavor_profiles')
export class FlavorProfile extends rowOf(FLAVOR_PROFILE) {}

export const flavorProfileResource = defineBareResource({
  singular: 'flavorprofile',
  plural: 'flavorprofiles',
  attributes: FLAVOR_PROFILE,
});

export const flavorProfiles = new OctaviaTable(FlavorProfile, 'Flavor profile', {
  flavors_flavor_profile_fkey: ({ id = '' }) => new ObjectInUseError('Flavor profile', id),
});
