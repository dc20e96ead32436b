import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Condition } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { accessibleBy } from '../networks/network-access.js';
import { Subnet } from './subnet.entity.js';
import { SubnetInUseError, SubnetNotFoundError } from './subnet.errors.js';

export const subnets = new Table(Subnet, {
  missing: (key) => new SubnetNotFoundError(typeof key === 'string' ? key : key.id),
  touched: 'updatedAt',
  refusals: { ip_allocations_subnet_fkey: ({ id }) => new SubnetInUseError(id ?? '') },
});

/**
 * Its own, and those on networks that it has access to, be it as a way out. Public source: neutron,
 * `db/external_net_db.py`.
 */
export function visibleSubnets(ctx: RequestContext): Condition[] {
  if (actsAcrossProjects(ctx)) return [];
  const accessible = accessibleBy(ctx.projectId, 'networkId');
  return [
    (bind, column) =>
      `${column('projectId')} = ${bind(ctx.projectId)} OR ${accessible(bind, column)}`,
  ];
}
