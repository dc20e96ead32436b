import { Table } from '@cumulet/common/tables/table';
import { InvalidSubresourceError } from '../resources/octavia.errors.js';
import { ObjectInUseError, RecordAlreadyExistsError } from '../resources/offer.errors.js';
import { NotFoundError } from '../tree/tree.errors.js';
import { AvailabilityZone } from './availability-zone.entity.js';

export const availabilityZones = new Table(AvailabilityZone, {
  missing: (key) => new NotFoundError('Availability Zone', typeof key === 'string' ? key : ''),
  refusals: {
    availability_zones_pkey: ({ id = '' }) => new RecordAlreadyExistsError('availability zone', id),
    availability_zones_profile_fkey: ({ availabilityZoneProfileId = '' }) =>
      new InvalidSubresourceError('Availability Zone Profile', availabilityZoneProfileId),
    load_balancers_availability_zone_fkey: ({ id = '' }) =>
      new ObjectInUseError('Availability Zone', id),
  },
});
