import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import { accessibleBy } from '../networks/network-access.js';
import { Subnet } from './subnet.entity.js';
import { SubnetInUseError, SubnetNotFoundError } from './subnet.errors.js';
import { canonicalAddress, canonicalRoute } from '../addresses/address-types.js';
import type { NetworkSpec } from '../data-plane/data-plane.js';
import { resourceTable } from '../resource/resource.table.js';

export const subnets = resourceTable(Subnet, SubnetNotFoundError, {
  ip_allocations_subnet_fkey: ({ id }) => new SubnetInUseError(id ?? ''),
});

/**
 * The caller's own subnets, and those of networks that it has any access to. Public source:
 * neutron, `db/external_net_db.py`.
 */
export function visibleSubnets(ctx: RequestContext): Condition[] {
  if (actsAcrossProjects(ctx)) return [];
  const accessible = accessibleBy(ctx.projectId, 'networkId');
  return [
    (bind, column) =>
      `${column('projectId')} = ${bind(ctx.projectId)} OR ${accessible(bind, column)}`,
  ];
}

/** The subnets of a network as the data plane gets them with it. */
export async function subnetSpecsOf(
  ctx: RequestContext,
  networkId: string,
): Promise<Pick<NetworkSpec, 'subnets'>> {
  const all = await subnets.select(ctx, [equals('networkId', networkId)], 'ORDER BY id');
  return {
    subnets: all.map((subnet) => ({
      id: subnet.id,
      cidr: subnet.cidr,
      gatewayIp: subnet.gatewayIp,
      enableDhcp: subnet.enableDhcp,
      dnsNameservers: subnet.dnsNameservers.map(canonicalAddress),
      hostRoutes: subnet.hostRoutes.map(canonicalRoute),
      ipv6RaMode: subnet.ipv6RaMode,
      ipv6AddressMode: subnet.ipv6AddressMode,
    })),
  };
}
