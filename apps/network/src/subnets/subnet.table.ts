import { Table } from '@cumulet/common/tables/table';
import { Subnet } from './subnet.entity.js';
import { SubnetInUseError, SubnetNotFoundError } from './subnet.errors.js';

export const subnets = new Table(Subnet, {
  missing: (key) => new SubnetNotFoundError(typeof key === 'string' ? key : key.id),
  touched: 'updatedAt',
  refusals: { ip_allocations_subnet_fkey: ({ id }) => new SubnetInUseError(id ?? '') },
});
