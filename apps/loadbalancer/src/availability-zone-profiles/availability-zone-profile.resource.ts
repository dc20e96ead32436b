/** Public source: octavia, `api/v2/types/availability_zone_profile.py`. */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { text, uuid } from '@cumulet/common/resources/value-type';
import { defineBareResource } from '../resources/resource.js';

export const availabilityZoneProfileResource = defineBareResource({
  singular: 'availability_zone_profile',
  plural: 'availability_zone_profiles',
  attributes: {
    id: shownOnly(uuid, { about: 'Its id.' }),
    name: attribute(text(), { about: 'What administrators call it.', required: true }),
    provider_name: attribute(text(), { about: 'The provider that reads it.', required: true }),
    availability_zone_data: attribute(text(4096), {
      about: "An object of the provider's availability zone capabilities, as JSON.",
      required: true,
    }),
  },
});

export type AvailabilityZoneProfileAttributes =
  (typeof availabilityZoneProfileResource)['attributes'];
