import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { pageOf, type Query } from '@cumulet/common/resources/list-query';
import { parseCidr } from '@cumulet/common/addresses/ip-address';
import type { Network } from '../networks/network.entity.js';
import { networks, visibleNetworks } from '../networks/networks.service.js';
import { rangeOf, type AllocationPool } from '../subnets/allocation-pools.js';
import { ipAvailabilityResource, versionsOf } from './ip-availability.resource.js';
import type { IpAvailability, SubnetAvailability } from './ip-availability.resource.js';

interface SubnetRow {
  readonly networkId: string;
  readonly id: string;
  readonly name: string;
  readonly version: 4 | 6;
  readonly cidr: string;
  readonly pools: readonly AllocationPool[];
  readonly used: number;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
const asKey = (id: string): string => (isUuid(id) ? id : NO_ID);

/** Public source: neutron, `db/network_ip_availability_db.py`. */
@Injectable()
export class IpAvailabilitiesService {
  async list(ctx: RequestContext, query: Query): Promise<IpAvailability[]> {
    const page = pageOf<Network>(ipAvailabilityResource, query, ctx);
    const marker = typeof page.marker === 'string' ? asKey(page.marker) : page.marker;
    const { rows } = await networks.list(ctx, { ...page, marker, scope: visibleNetworks(ctx) });
    const asked = versionsOf([query['ip_version'] ?? []].flat());
    return availabilities(ctx, rows, asked.length === 0 ? [4, 6] : asked);
  }

  /** @throws NetworkNotFoundError */
  async get(ctx: RequestContext, id: string): Promise<IpAvailability> {
    const network = await networks.get(ctx, asKey(id), visibleNetworks(ctx));
    const [one] = await availabilities(ctx, [network], [4, 6]);
    return one as IpAvailability;
  }
}

async function availabilities(
  ctx: RequestContext,
  rows: readonly Network[],
  versions: readonly (4 | 6)[],
): Promise<IpAvailability[]> {
  const found = await preparedRows<SubnetRow>(
    ctx.manager,
    `SELECT network_id AS "networkId", id, name, ip_version AS version, cidr::text,
            allocation_pools AS pools,
            (SELECT count(*)::integer FROM ip_allocations WHERE subnet_id = subnets.id) AS used
       FROM subnets WHERE network_id = ANY($1) AND ip_version = ANY($2)
      ORDER BY created_at, id`,
    [rows.map(({ id }) => id), versions],
  );
  return rows.map((network) => {
    const own = found.filter(({ networkId }) => networkId === network.id);
    return Object.assign({}, network, { subnets: own.map(shown) });
  });
}

function shown({ id, name, version, cidr, pools, used }: SubnetRow): SubnetAvailability {
  return {
    subnet_id: id,
    subnet_name: name,
    ip_version: version,
    cidr,
    total_ips: total(cidr, pools),
    used_ips: used,
  };
}

/** A subnet without pools counts as a whole, as in Neutron. */
function total(cidr: string, pools: readonly AllocationPool[]): number {
  const ranges = (pools.length > 0 ? pools.map(rangeOf) : [parseCidr(cidr)]).flatMap(
    (one) => one ?? [],
  );
  return Number(ranges.reduce((sum, { first, last }) => sum + last - first + 1n, 0n));
}
