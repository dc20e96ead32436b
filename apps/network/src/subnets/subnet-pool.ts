/**
 * A new subnet's addresses, as they are cut from a pool. Public source: neutron,
 * `_get_subnetpool_id` in `db/db_base_plugin_v2.py`, `SubnetRequestFactory` in `ipam/requests.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { equals } from '@cumulet/common/tables/condition';
import { BadRequestError } from '@cumulet/common/resources/resource.errors';
import { NetworkAddressScopeAffinityError } from '../address-scopes/address-scope.errors.js';
import {
  cidrAround,
  formatCidr,
  parseCidr,
  parseIp,
  type Cidr,
} from '@cumulet/common/addresses/ip-address';
import { ownOrShared } from '../rbac-policies/sharing.js';
import { allocate, lockPool, subnetpools } from '../subnetpools/subnet-allocation.js';
import type { Subnetpool } from '../subnetpools/subnetpool.entity.js';
import { NetworkSubnetPoolAffinityError } from '../subnetpools/subnetpool.errors.js';
import type { NewSubnet } from './subnet.resource.js';

const refused = (reason: string): BadRequestError => new BadRequestError('subnets', reason);

/**
 * @returns the id of the pool that a subnet is to be of; undefined if of none
 * @throws BadRequestError for attributes that do not go together
 */
export async function poolOf(tx: RequestContext, body: NewSubnet): Promise<string | undefined> {
  const { cidr, prefixlen, subnetpool_id: id, use_default_subnetpool: isDefault } = body;
  if (cidr !== undefined && prefixlen !== undefined)
    throw refused('cidr and prefixlen must not be supplied together');
  if (isDefault && id != null)
    throw refused('subnetpool_id and use_default_subnetpool cannot both be specified');
  if (id != null || isDefault) {
    if (cidr === undefined && body.allocation_pools !== undefined)
      throw refused('allocation_pools allowed only for specific subnet requests');
    return id ?? (await defaultPool(tx, body));
  }
  if (cidr === undefined) throw refused('a subnetpool must be specified in the absence of a cidr');
  return undefined;
}

async function defaultPool(tx: RequestContext, { cidr, ip_version }: NewSubnet): Promise<string> {
  const version = (cidr === undefined ? undefined : parseCidr(cidr)?.version) ?? ip_version;
  const [pool] = await subnetpools.select(tx, [
    equals('isDefault', true),
    equals('ipVersion', version),
    ...ownOrShared(tx),
  ]);
  if (!pool) throw refused(`No default subnetpool found for IPv${version}`);
  return pool.id;
}

/**
 * @param tx in the project whose the subnet will be
 * @returns the addresses that the subnet gets, as a CIDR, and the pool, which is locked
 */
export async function cutFromPool(
  tx: RequestContext,
  id: string,
  body: NewSubnet,
): Promise<{ cidr: string; pool: Subnetpool }> {
  const pool = await lockPool(tx, id);
  if (body.ip_version !== pool.ipVersion) {
    throw refused(
      `Cannot allocate IPv${body.ip_version} subnet from IPv${pool.ipVersion} subnet pool`,
    );
  }
  const cidr = await allocate(tx, pool, {
    cidr: askedCidr(body, pool),
    prefix: body.prefixlen,
  });
  return { cidr: formatCidr(cidr), pool };
}

/** Whoever names a gateway asks for the addresses around it. */
function askedCidr(
  { cidr, gateway_ip: gateway, prefixlen }: NewSubnet,
  { defaultPrefixlen, maxPrefixlen, ipVersion }: Subnetpool,
): Cidr | undefined {
  if (cidr !== undefined) return parseCidr(cidr);
  const ip = gateway == null ? undefined : parseIp(gateway);
  const length = prefixlen ?? defaultPrefixlen;
  return ip?.version === ipVersion && length <= maxPrefixlen ? cidrAround(ip, length) : undefined;
}

/**
 * Subnets of one network and version are of one pool, or of pools in one address scope.
 * @param tx has locked the network, and the pool
 */
export async function refuseMixedPools(
  tx: RequestContext,
  networkId: string,
  version: 4 | 6,
  pool: Subnetpool | undefined,
): Promise<void> {
  // Whoever changes which pools are in the scope waits.
  if (pool?.addressScopeId != null) {
    await preparedRows(tx.manager, 'SELECT FROM address_scopes WHERE id = $1 FOR SHARE', [
      pool.addressScopeId,
    ]);
  }
  const others = await preparedRows<{ poolId: string | null; scopeId: string | null }>(
    tx.manager,
    `SELECT subnetpool_id AS "poolId", address_scope_id AS "scopeId"
       FROM subnets LEFT JOIN subnetpools ON subnetpools.id = subnetpool_id
      WHERE network_id = $1 AND subnets.ip_version = $2`,
    [networkId, version],
  );
  const scopeId = others.find((other) => other.scopeId !== null)?.scopeId;
  if (pool && scopeId != null) {
    if (pool.addressScopeId !== scopeId) throw new NetworkAddressScopeAffinityError();
  } else if (others.some(({ poolId }) => poolId !== (pool?.id ?? null)))
    throw new NetworkSubnetPoolAffinityError();
}
