/** Public source: octavia, `api/v2/types/flavors.py`. */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { flag, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { defineBareResource } from '../resources/resource.js';

export const flavorResource = defineBareResource({
  singular: 'flavor',
  plural: 'flavors',
  attributes: {
    id: shownOnly(uuid, { about: 'Its id.' }),
    name: attribute(text(), { about: 'What it is called; no other is.', required: true }),
    description: attribute(orNull(text()), { about: 'What it is for.' }),
    enabled: attribute(flag, { about: 'Whether new load balancers may have it.', default: true }),
    flavor_profile_id: attribute(uuid, {
      about: 'The profile that says what its load balancers are.',
      required: true,
      given: 'at-creation',
    }),
  },
});

export type FlavorAttributes = (typeof flavorResource)['attributes'];
