import { Table } from '@cumulet/common/tables/table';
import { ObjectInUseError } from '../resources/offer.errors.js';
import { NotFoundError } from '../tree/tree.errors.js';
import { FlavorProfile } from './flavor-profile.entity.js';

export const flavorProfiles = new Table(FlavorProfile, {
  missing: (key) => new NotFoundError('Flavor profile', typeof key === 'string' ? key : ''),
  refusals: {
    flavors_flavor_profile_fkey: ({ id = '' }) => new ObjectInUseError('Flavor profile', id),
  },
});
