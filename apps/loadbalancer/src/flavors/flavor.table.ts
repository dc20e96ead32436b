import { Table } from '@cumulet/common/tables/table';
import { InvalidSubresourceError } from '../resources/octavia.errors.js';
import { ObjectInUseError, RecordAlreadyExistsError } from '../resources/offer.errors.js';
import { NotFoundError } from '../tree/tree.errors.js';
import { Flavor } from './flavor.entity.js';

export const flavors = new Table(Flavor, {
  missing: (key) => new NotFoundError('Flavor', typeof key === 'string' ? key : ''),
  refusals: {
    flavors_name_key: ({ name = '' }) => new RecordAlreadyExistsError('flavor', name),
    flavors_flavor_profile_fkey: ({ flavorProfileId = '' }) =>
      new InvalidSubresourceError('Flavor profile', flavorProfileId),
    load_balancers_flavor_fkey: ({ id = '' }) => new ObjectInUseError('Flavor', id),
  },
});
