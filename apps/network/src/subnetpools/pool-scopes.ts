/**
 * Rules of subnet pools in an address scope: pools do not overlap, and either all or none of a
 * network's subnets of one IP version are in the scope. Changes of a scope's pools lock the scope;
 * creating a subnet takes a shared lock. Public source: neutron, `_validate_address_scope_id` in
 * `db/db_base_plugin_v2.py`.
 */
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { overlap } from '@cumulet/common/addresses/ip-address';
import { parseAll } from '../addresses/ip-set.js';
import {
  type AddressScope,
  AddressScopeNotFoundError,
  addressScopes,
  NetworkAddressScopeAffinityError,
} from '../address-scopes/address-scope.resource.js';
import { isSharedWith, ownOrShared } from '../rbac-policies/sharing.js';
import { subnetpools } from './subnet-allocation.js';
import type { Subnetpool } from './subnetpool.resource.js';
import * as errors from './subnetpool.errors.js';
import { RbacPolicyInitError } from '../rbac-policies/rbac-policy.errors.js';

type ScopedPool = Pick<Subnetpool, 'id' | 'addressScopeId' | 'ipVersion' | 'prefixes'>;

/** @param ids the present and the new scope of a pool */
export function lockScopes(
  tx: RequestContext,
  ids: readonly (string | null | undefined)[],
): Promise<AddressScope[]> {
  const given = ids.filter((id) => id != null);
  if (given.length === 0) return Promise.resolve([]);
  return addressScopes.select(tx, [oneOf('id', given)], 'ORDER BY id FOR NO KEY UPDATE');
}

/** @throws IllegalSubnetPoolUpdateError for a pool in a scope of another project */
export function expectOwnScope(
  tx: RequestContext,
  { id, addressScopeId }: ScopedPool,
  scopes: readonly AddressScope[],
): void {
  const scope = scopes.find((one) => one.id === addressScopeId);
  if (!scope || mayActOn(tx, scope.projectId)) return;
  throw new errors.IllegalSubnetPoolUpdateError(
    `subnetpool ${id} cannot be updated when associated with shared address scope ${scope.id}`,
  );
}

/**
 * @param pool as it is to be
 * @throws AddressScopeNotFoundError for one that the caller does not see
 * @throws AddressScopePrefixConflictError for addresses that another pool of the scope contains
 */
export async function checkScope(tx: RequestContext, pool: ScopedPool): Promise<void> {
  const { id, addressScopeId } = pool;
  if (addressScopeId === null) return;
  const scope = await addressScopes.find(tx, addressScopeId, ownOrShared(tx));
  if (!scope) throw new AddressScopeNotFoundError(addressScopeId);
  if (scope.ipVersion !== pool.ipVersion) {
    throw new errors.IllegalSubnetPoolIpVersionAssociationToAddressScopeError(
      id,
      scope.id,
      scope.ipVersion,
    );
  }
  await refuseMixedNetworks(tx, pool);
  const pools = await subnetpools.select(tx, [equals('addressScopeId', scope.id)]);
  const own = parseAll(pool.prefixes);
  const others = pools.filter((one) => one.id !== id).flatMap((one) => parseAll(one.prefixes));
  if (own.some((one) => others.some((other) => overlap(one, other))))
    throw new errors.AddressScopePrefixConflictError();
}

async function refuseMixedNetworks(
  tx: RequestContext,
  { id, ipVersion }: ScopedPool,
): Promise<void> {
  const mixed = await preparedRows(
    tx.manager,
    `SELECT FROM subnets
      WHERE ip_version = $2 AND subnetpool_id IS DISTINCT FROM $1
        AND network_id IN (SELECT network_id FROM subnets WHERE subnetpool_id = $1) LIMIT 1`,
    [id, ipVersion],
  );
  if (mixed.length > 0) throw new NetworkAddressScopeAffinityError();
}

/** A pool's users must have access to its scope. @throws RbacPolicyInitError otherwise */
export async function checkScopeOf(
  tx: RequestContext,
  { id, addressScopeId }: Subnetpool,
  target: string,
): Promise<void> {
  if (addressScopeId === null || (await isSharedWith(tx, addressScopeId, target))) return;
  const scope = await addressScopes.find(tx, addressScopeId);
  if (scope?.projectId === target) return;
  const reason = "target project doesn't have access to associated address scope";
  throw new RbacPolicyInitError(id, reason);
}
