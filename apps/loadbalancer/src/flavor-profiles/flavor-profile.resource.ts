/** Public source: octavia, `api/v2/types/flavor_profile.py`. */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { text, uuid } from '@cumulet/common/resources/value-type';
import { defineBareResource } from '../resources/resource.js';

export const flavorProfileResource = defineBareResource({
  singular: 'flavorprofile',
  plural: 'flavorprofiles',
  attributes: {
    id: shownOnly(uuid, { about: 'Its id.' }),
    name: attribute(text(), { about: 'What administrators call it.', required: true }),
    provider_name: attribute(text(), { about: 'The provider that reads it.', required: true }),
    flavor_data: attribute(text(4096), {
      about: "An object of the provider's flavor capabilities, as JSON.",
      required: true,
    }),
  },
});

export type FlavorProfileAttributes = (typeof flavorProfileResource)['attributes'];
