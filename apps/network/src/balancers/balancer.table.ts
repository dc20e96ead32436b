import { Table } from '@cumulet/common/tables/table';
import { Balancer } from './balancer.entity.js';
import { BalancerNotFoundError } from './balancer.errors.js';

export const balancers = new Table(Balancer, {
  missing: (key) => new BalancerNotFoundError(typeof key === 'string' ? key : ''),
});
