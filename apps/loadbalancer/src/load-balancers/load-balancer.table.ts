import { Table } from '@cumulet/common/tables/table';
import { ValidationExceptionError } from '../resources/octavia.errors.js';
import { NotFoundError } from '../tree/tree.errors.js';
import { LoadBalancer } from './load-balancer.entity.js';

export const loadBalancers = new Table(LoadBalancer, {
  missing: (key) => new NotFoundError('Load Balancer', typeof key === 'string' ? key : ''),
  // They went while it was being made.
  refusals: {
    load_balancers_flavor_fkey: () => new ValidationExceptionError('Invalid flavor_id.'),
    load_balancers_availability_zone_fkey: () =>
      new ValidationExceptionError('Invalid availability_zone.'),
  },
});
