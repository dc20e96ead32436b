import { Table } from '@cumulet/common/tables/table';
import { ObjectInUseError } from '../resources/offer.errors.js';
import { NotFoundError } from '../tree/tree.errors.js';
import { AvailabilityZoneProfile } from './availability-zone-profile.entity.js';

export const availabilityZoneProfiles = new Table(AvailabilityZoneProfile, {
  missing: (key) =>
    new NotFoundError('Availability Zone Profile', typeof key === 'string' ? key : ''),
  refusals: {
    availability_zones_profile_fkey: ({ id = '' }) =>
      new ObjectInUseError('Availability Zone Profile', id),
  },
});
