/**
 * Allocates subnets from pools. Public source: neutron, `SubnetAllocator` in
 * `ipam/subnet_alloc.py`.
 *
 * Always holds: subnets of a pool do not overlap. Whoever allocates locks the pool (`lockPool`)
 * before reading the existing subnets.
 */
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { equals } from '@cumulet/common/tables/condition';
import { InvalidInputError } from '@cumulet/common/resources/resource.errors';
import { cidrAround, parseCidr, type Cidr } from '@cumulet/common/addresses/ip-address';
import { cidrsOf, holdsAll, parseAll, without } from '../addresses/ip-set.js';
import { ownOrShared } from '../rbac-policies/sharing.js';
import { Subnetpool } from './subnetpool.resource.js';
import * as errors from './subnetpool.errors.js';
import { AddressScopeNotFoundError } from '../address-scopes/address-scope.resource.js';
import { resourceTable } from '../resource/resource.table.js';

export const subnetpools = resourceTable(Subnetpool, errors.SubnetPoolNotFoundError, {
  subnets_subnetpool_fkey: () => new errors.SubnetPoolDeleteError(),
  subnetpools_scope_fkey: ({ addressScopeId }) => new AddressScopeNotFoundError(addressScopeId),
  subnetpools_default_key: () =>
    new InvalidInputError(
      'A default subnetpool for this IP family has already been set. Only one default may exist per IP family',
    ),
});

/** Serialises allocations from a pool. @throws SubnetPoolNotFoundError */
export async function lockPool(tx: RequestContext, id: string): Promise<Subnetpool> {
  await subnetpools.select(tx, [equals('id', id)], 'FOR NO KEY UPDATE');
  // Checked under the lock, since policies change only under it.
  const pool = await subnetpools.find(tx, id, ownOrShared(tx));
  if (!pool) throw new errors.SubnetPoolNotFoundError(id);
  return pool;
}

export interface AskedSubnet {
  /** Undefined for any free addresses. */
  readonly cidr?: Cidr | undefined;
  /** The prefix length; by default, that of the pool. */
  readonly prefix?: number | undefined;
}

interface Allocation {
  readonly cidr: string;
  readonly projectId: string;
}

/**
 * @param tx has locked the pool; its project will own the subnet
 * @throws SubnetAllocationError if the requested addresses, or any of this size, are not free
 */
export async function allocate(
  tx: RequestContext,
  pool: Subnetpool,
  asked: AskedSubnet,
): Promise<Cidr> {
  const prefix = asked.cidr?.prefix ?? asked.prefix ?? pool.defaultPrefixlen;
  if (prefix > pool.maxPrefixlen)
    throw new errors.MaxPrefixSubnetAllocationError(prefix, pool.maxPrefixlen);
  if (prefix < pool.minPrefixlen)
    throw new errors.MinPrefixSubnetAllocationError(prefix, pool.minPrefixlen);
  const taken = await allocationsOf(tx, pool.id);
  checkQuota(pool, tx.projectId, taken, prefix);
  const free = without(parseAll(pool.prefixes), parseAll(taken.map(({ cidr }) => cidr)));
  if (asked.cidr) {
    if (holdsAll(free, [asked.cidr])) return asked.cidr;
    throw new errors.SubnetAllocationError(
      'Cannot allocate requested subnet from the available set of prefixes',
    );
  }
  // The smallest sufficient block, so that large ones stay whole.
  const [block] = cidrsOf(free)
    .filter((one) => one.prefix <= prefix)
    .sort((one, other) => other.prefix - one.prefix);
  if (!block) {
    throw new errors.SubnetAllocationError(
      `Insufficient prefix space to allocate subnet size /${prefix}`,
    );
  }
  return cidrAround({ version: block.version, value: block.first }, prefix);
}

export function allocationsOf(tx: RequestContext, poolId: string): Promise<Allocation[]> {
  return preparedRows<{ cidr: string; projectId: string }>(
    tx.manager,
    'SELECT cidr, project_id AS "projectId" FROM subnets WHERE subnetpool_id = $1',
    [poolId],
  );
}

/** Quotas count IPv4 addresses and IPv6 /64s. */
const UNIT = { 4: 32, 6: 64 } as const;

function checkQuota(
  { defaultQuota, ipVersion }: Subnetpool,
  projectId: ProjectId,
  taken: readonly Allocation[],
  prefix: number,
): void {
  if (defaultQuota === null || defaultQuota === 0) return;
  const units = (length: number): number => 2 ** (UNIT[ipVersion] - length);
  const used = taken
    .filter((one) => one.projectId === projectId)
    .reduce((sum, { cidr }) => sum + units(parseCidr(cidr)?.prefix ?? 0), 0);
  if (used + units(prefix) > defaultQuota) throw new errors.SubnetPoolQuotaExceededError();
}
