/** Public source: octavia, `api/v2/types/availability_zones.py`. */
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import {
  flag,
  orNull,
  Refusal,
  text,
  uuid,
  type ValueType,
} from '@cumulet/common/resources/value-type';
import { Entity, ForeignKey, Index } from 'typeorm';
import { OctaviaTable } from '../resources/octavia-table.js';
import {
  InvalidSubresourceError,
  ObjectInUseError,
  RecordAlreadyExistsError,
} from '../resources/octavia.errors.js';
import { defineBareResource, ID } from '../resources/resource.js';

const AVAILABILITY_ZONE_PROFILE = {
  ...ID,
  name: attribute(text(), { about: 'The name.', required: true }),
  providerName: attribute(text(), {
    about: 'The name of the provider.',
    required: true,
  }),
  availabilityZoneData: attribute(text(4096), {
    about: "Values of the provider's availability zone capabilities, as a JSON object.",
    required: true,
  }),
};

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

/** Not empty, since it is a part of URLs. */
const name: ValueType<string> = {
  ...text(),
  read: (value, path) => {
    if (value === '') throw new Refusal('it must not be empty');
    return text().read(value, path);
  },
};

const AVAILABILITY_ZONE = {
  id: attribute(name, {
    about: 'The name, which is unique.',
    required: true,
    given: 'at-creation',
    wire: 'name',
    column: { name: 'name', primary: true },
  }),
  description: attribute(orNull(text()), { about: 'The description.' }),
  enabled: attribute(flag, {
    about: 'Whether new load balancers may be in the zone.',
    default: true,
  }),
  availabilityZoneProfileId: attribute(uuid, {
    about: 'The ID of the availability zone profile.',
    required: true,
    given: 'at-creation',
  }),
};

/** A place that administrators offer for load balancers. Its name is its id. */
@Entity('availability_zones')
@Index('availability_zones_profile_idx', ['availabilityZoneProfileId'])
@ForeignKey(() => AvailabilityZoneProfile, ['availabilityZoneProfileId'], ['id'], {
  name: 'availability_zones_profile_fkey',
})
export class AvailabilityZone extends rowOf(AVAILABILITY_ZONE) {}

export const availabilityZoneResource = defineBareResource({
  singular: 'availability_zone',
  plural: 'availability_zones',
  attributes: AVAILABILITY_ZONE,
});

export const availabilityZones = new OctaviaTable(AvailabilityZone, 'Availability Zone', {
  availability_zones_pkey: ({ id = '' }) => new RecordAlreadyExistsError('availability zone', id),
  availability_zones_profile_fkey: ({ availabilityZoneProfileId = '' }) =>
    new InvalidSubresourceError('Availability Zone Profile', availabilityZoneProfileId),
  load_balancers_availability_zone_fkey: ({ id = '' }) =>
    new ObjectInUseError('Availability Zone', id),
});
