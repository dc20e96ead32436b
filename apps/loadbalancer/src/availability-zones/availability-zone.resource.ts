/** Public source: octavia, `api/v2/types/availability_zones.py`. */
import { attribute } from '@cumulet/common/resources/attribute';
import {
  flag,
  orNull,
  Refusal,
  text,
  uuid,
  type ValueType,
} from '@cumulet/common/resources/value-type';
import { defineBareResource } from '../resources/resource.js';

/** It is a part of addresses, so there is some. */
const name: ValueType<string> = {
  ...text(),
  read: (value, path) => {
    if (value === '') throw new Refusal('it is empty');
    return text().read(value, path);
  },
};

export const availabilityZoneResource = defineBareResource({
  singular: 'availability_zone',
  plural: 'availability_zones',
  attributes: {
    name: attribute(name, {
      about: 'What it is called; no other is.',
      required: true,
      given: 'at-creation',
      property: 'id',
    }),
    description: attribute(orNull(text()), { about: 'What it is for.' }),
    enabled: attribute(flag, { about: 'Whether new load balancers may be in it.', default: true }),
    availability_zone_profile_id: attribute(uuid, {
      about: 'The profile that says where its load balancers are.',
      required: true,
      given: 'at-creation',
    }),
  },
});

export type AvailabilityZoneAttributes = (typeof availabilityZoneResource)['attributes'];
