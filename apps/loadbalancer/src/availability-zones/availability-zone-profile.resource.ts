/** Public source: octavia, `api/v2/types/availability_zone_profile.py`. */
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { text } from '@cumulet/common/resources/value-type';
import { Entity } from 'typeorm';
import { OctaviaTable } from '../resources/octavia-table.js';
import { ObjectInUseError } from '../resources/octavia.errors.js';
import { defineBareResource, ID } from '../resources/resource.js';

const AVAILABILITY_ZONE_PROFILE = {
  ...ID,
  name: attribute(text(), { about: 'The name.', required: true }),
  providerName: attribute(text(), {
    about: 'The provider that reads the profile.',
    required: true,
  }),
  availabilityZoneData: attribute(text(4096), {
    about: "An object of the provider's availability zone capabilities, as JSON.",
    required: true,
  }),
};

/** Where load balancers of a zone are, in the words of their provider. */
@Entity('availability_zone_profiles')
export class AvailabilityZoneProfile extends rowOf(AVAILABILITY_ZONE_PROFILE) {}

export const availabilityZoneProfileResource = defineBareResource({
  singular: 'availability_zone_profile',
  plural: 'availability_zone_profiles',
  attributes: AVAILABILITY_ZONE_PROFILE,
});

export const availabilityZoneProfiles = new OctaviaTable(
  AvailabilityZoneProfile,
  'Availability Zone Profile',
  {
    availability_zones_profile_fkey: ({ id = '' }) =>
      new ObjectInUseError('Availability Zone Profile', id),
  },
);
